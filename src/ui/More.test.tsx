import { MantineProvider } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { More, type MoreProps } from './More.tsx'

function draw(props: Partial<MoreProps>) {
  let asked = 0
  const given = { isLeft: true, isBusy: false, problem: null, what: 'read the history', onMore: () => void asked++ }
  render(
    <MantineProvider>
      <More {...given} {...props} />
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
  draw({ isLeft: false })
  expect(screen.queryByRole('button')).toBeNull()
})

test('a page that did not come says why, and is asked for again', async () => {
  const asked = draw({ problem: { kind: 'unreachable', message: 'No line.' } })
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }))
  expect(asked()).toBe(1)
})
