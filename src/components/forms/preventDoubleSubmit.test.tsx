import { fireEvent, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { preventDoubleSubmit } from './preventDoubleSubmit.ts'

let end: () => void
beforeEach(() => {
  end = preventDoubleSubmit(document)
})
afterEach(() => end())

const sent = vi.fn()
const more = vi.fn()
const again = vi.fn()

function TestButtons() {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        sent()
      }}
      onKeyDown={(event) => (event.key === 'Enter' && event.ctrlKey ? sent() : undefined)}
    >
      <input aria-label="name" />
      <textarea aria-label="text" />
      <button type="submit">Send</button>
      <button type="button" onClick={more}>
        More
      </button>
      <button type="button" data-once onClick={again}>
        <b>Again</b>
      </button>
    </form>
  )
}
beforeEach(() => {
  vi.clearAllMocks()
  render(<TestButtons />)
})

test('a double click sends a form once, two clicks send it twice', async () => {
  const send = screen.getByRole('button', { name: 'Send' })
  await userEvent.dblClick(send)
  expect(sent).toHaveBeenCalledTimes(1)
  await userEvent.click(send)
  expect(sent).toHaveBeenCalledTimes(2)
})

test('a double click triggers an action once, and everything else twice', async () => {
  await userEvent.dblClick(screen.getByText('Again'))
  expect(again).toHaveBeenCalledTimes(1)
  await userEvent.dblClick(screen.getByRole('button', { name: 'More' }))
  expect(more).toHaveBeenCalledTimes(2)
})

test('Enter that is held down sends once, and goes on writing lines', () => {
  const text = screen.getByRole('textbox', { name: 'text' })
  fireEvent.keyDown(text, { key: 'Enter', ctrlKey: true })
  fireEvent.keyDown(text, { key: 'Enter', ctrlKey: true, repeat: true })
  expect(sent).toHaveBeenCalledTimes(1)
  expect(fireEvent.keyDown(text, { key: 'Enter', repeat: true })).toBe(true)
  expect(fireEvent.keyDown(screen.getByRole('textbox', { name: 'name' }), { key: 'Enter', repeat: true })).toBe(false)
})
