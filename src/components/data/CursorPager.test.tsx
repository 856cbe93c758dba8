import { MantineProvider } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { CursorPager, type CursorPagerProps } from './CursorPager.tsx'

const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })

test.each<[string, Partial<CursorPagerProps>]>([
  ['3 in total', { rows: 3, total: 3 }],
  ['The newest 20 of 41', { total: 41, nextCursor: 'n' }],
  ['The newest 20 of more than 1,000', { total: 1000, isTotalCapped: true, nextCursor: 'n' }],
  ['20 older', { total: null, nextCursor: 'n' }],
  ['The oldest 5', { rows: 5, total: null }],
  ['None older', { rows: 0, total: null }],
  [
    'No match among the newest entries searched so far. Older ones may match.',
    { rows: 0, total: 0, isTotalCapped: true, nextCursor: 'n' },
  ],
])('it says “%s”', (words, props) => {
  draw(props)
  expect(screen.getByText(words)).toBeDefined()
})

test('it goes on from where the page ended, and back to the newest', async () => {
  const places = draw({ total: null, nextCursor: 'the end' })
  await userEvent.click(button('Older'))
  await userEvent.click(button('Newest'))
  expect(places).toEqual(['the end', null])
})

test('on the newest and the last page there is nowhere to go', () => {
  draw({ total: 20 })
  expect([button('Newest').disabled, button('Older').disabled]).toEqual([true, true])
})

function draw(props: Partial<CursorPagerProps>): (string | null)[] {
  const places: (string | null)[] = []
  render(
    <MantineProvider>
      <CursorPager
        rows={20}
        total={0}
        isTotalCapped={false}
        nextCursor={null}
        onPage={(before) => places.push(before)}
        {...props}
      />
    </MantineProvider>,
  )
  return places
}
