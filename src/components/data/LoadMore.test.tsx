import { MantineProvider } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { LoadMore, type LoadMoreProps } from './LoadMore.tsx'

function draw(props: Partial<LoadMoreProps>) {
  let asked = 0
  const given = {
    hasMore: true,
    isBusy: false,
    problem: null,
    action: 'read the history',
    onLoadMore: () => void asked++,
  }
  render(
    <MantineProvider>
      <LoadMore {...given} {...props} />
    </MantineProvider>,
  )
  return () => asked
}

test('older ones are fetched when somebody asks', async () => {
  const asked = draw({})
  await userEvent.click(screen.getByRole('button', { name: 'Older' }))
  expect(asked()).toBe(1)
})

test('where there are none there is no button', () => {
  draw({ hasMore: false })
  expect(screen.queryByRole('button')).toBeNull()
})

test('a page that did not come says why, and is asked for again', async () => {
  const asked = draw({ problem: { kind: 'unreachable', message: 'No line.' } })
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
  expect(asked()).toBe(1)
})
