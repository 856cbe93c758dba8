import { MantineProvider } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { Slices, type SlicesProps } from './Slices.tsx'

const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })

test.each<[string, Partial<SlicesProps>]>([
  ['3 in all', { rows: 3, total: 3 }],
  ['The newest 20 of 41', { total: 41, next: 'n' }],
  ['The newest 20 of more than 1,000', { total: 1000, beyond: true, next: 'n' }],
  ['20 older', { total: null, next: 'n' }],
  ['5 older, no more', { rows: 5, total: null }],
  [
    'None among the newest that were looked at. Older ones may have it.',
    { rows: 0, total: 0, beyond: true, next: 'n' },
  ],
])('it says “%s”', (words, props) => {
  draw(props)
  expect(screen.getByText(words)).toBeDefined()
})

test('it goes on from where the page ended, and back to the newest', async () => {
  const places = draw({ total: null, next: 'the end' })
  await userEvent.click(button('Older'))
  await userEvent.click(button('Newest'))
  expect(places).toEqual(['the end', null])
})

test('on the newest and the last page there is nowhere to go', () => {
  draw({ total: 20 })
  expect([button('Newest').disabled, button('Older').disabled]).toEqual([true, true])
})

function draw(props: Partial<SlicesProps>): (string | null)[] {
  const places: (string | null)[] = []
  render(
    <MantineProvider>
      <Slices rows={20} total={0} beyond={false} next={null} onPage={(before) => places.push(before)} {...props} />
    </MantineProvider>,
  )
  return places
}
