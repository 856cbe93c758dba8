import { act, fireEvent, screen } from '@testing-library/react'
import { startTransition, Suspense, use, useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SearchField } from './SearchField.tsx'
import { renderPage } from '../../client/page.testing.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('it searches once, for what stands there when the keys have rested', () => {
  const { field, searched } = draw()
  for (const value of ['l', 'la', 'lamp ']) fireEvent.input(field, { target: { value } })
  expect(searched).toEqual([])
  rest()
  expect(searched).toEqual(['lamp'])
})

test('a word that an IME is still making is not searched for', () => {
  const { field, searched } = draw()
  fireEvent.compositionStart(field)
  fireEvent.input(field, { target: { value: 'xiao' }, isComposing: true })
  rest()
  expect(searched).toEqual([])
  fireEvent.input(field, { target: { value: '校准' }, isComposing: true })
  fireEvent.compositionEnd(field)
  rest()
  expect(searched).toEqual(['校准'])
})

test('words that Back or Clear brings stand in the field', () => {
  const { field, draw: again } = draw()
  fireEvent.input(field, { target: { value: 'lamp' } })
  again('seat')
  expect(field.value).toBe('seat')
})

test('a search that comes back leaves what was typed since', () => {
  const { field, searched, draw: again } = draw()
  fireEvent.input(field, { target: { value: 'l' } })
  rest()
  fireEvent.input(field, { target: { value: 'la' } })
  again('l')
  expect(field.value).toBe('la')
  rest()
  fireEvent.input(field, { target: { value: 'lam' } })
  again('la')
  expect(field.value).toBe('lam')
  rest()
  again('lam')
  expect(searched).toEqual(['l', 'la', 'lam'])
  again('la')
  expect(field.value).toBe('la')
})

test('a key that comes before a search is drawn does not undo what is typed after it', () => {
  const { field, draw: again } = draw()
  fireEvent.input(field, { target: { value: 'l' } })
  act(() => {
    vi.advanceTimersByTime(300)
    fireEvent.input(field, { target: { value: 'la' } })
  })
  again('l')
  expect(field.value).toBe('la')
})

test('a key pressed while the page of a search is drawn is not lost', async () => {
  const rows = Promise.withResolvers<string>()
  const Rows = () => use(rows.promise)
  const Page = () => {
    const [words, setWords] = useState('')
    return (
      <Suspense>
        <SearchField label="Search by name" value={words} onSearch={(text) => startTransition(() => setWords(text))} />
        {words === '' ? null : <Rows />}
      </Suspense>
    )
  }
  renderPage(<Page />)
  const field = screen.getByRole<HTMLInputElement>('searchbox')
  fireEvent.input(field, { target: { value: 'lam' } })
  rest()
  fireEvent.input(field, { target: { value: 'lamp' } })
  expect(field.value).toBe('lamp')
  await act(async () => rows.resolve('3 rows'))
  await act(async () => rest())
  expect(screen.getByText('3 rows')).toBeDefined()
  expect(field.value).toBe('lamp')
})

const rest = (): void =>
  act(() => {
    vi.advanceTimersByTime(300)
  })

function draw() {
  const searched: string[] = []
  const page = (value: string) => (
    <SearchField label="Search by name" value={value} onSearch={(words) => searched.push(words)} hasShortcut />
  )
  const { rerender } = renderPage(page(''))
  return {
    field: screen.getByRole<HTMLInputElement>('searchbox'),
    searched,
    draw: (value: string) => rerender(page(value)),
  }
}
