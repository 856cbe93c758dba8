import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { CursorPager, type CursorPagerProps } from './CursorPager.tsx'
import { renderPage } from '../../client/page.testing.tsx'

const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })

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
  renderPage(
    <CursorPager
      rows={20}
      total={0}
      isTotalCapped={false}
      nextCursor={null}
      onPage={(before) => places.push(before)}
      {...props}
    />,
  )
  return places
}
