import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { submitByShortcut } from './submitByShortcut.ts'

let end: () => void
beforeEach(() => {
  end = submitByShortcut(document)
})
afterEach(() => end())

function renderForm({ isDisabled = false, onKeyDown }: { isDisabled?: boolean; onKeyDown?: () => void } = {}) {
  const onSubmit = vi.fn()
  const onOther = vi.fn()
  render(
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
      onKeyDown={(event) => {
        if (!onKeyDown || event.key !== 'Enter') return
        event.preventDefault()
        onKeyDown()
      }}
    >
      <input aria-label="name" />
      <textarea aria-label="text" />
      <button type="button" onClick={onOther}>
        Cancel
      </button>
      <button type="submit" disabled={isDisabled}>
        Save
      </button>
    </form>,
  )
  return { onSubmit, onOther }
}

test.each(['name', 'text'])('the modifier and Enter send a form from its field “%s”', async (name) => {
  const { onSubmit, onOther } = renderForm()
  await userEvent.type(screen.getByRole('textbox', { name }), 'tea{Control>}{Enter}{/Control}')
  expect([onSubmit.mock.calls.length, onOther.mock.calls.length]).toEqual([1, 0])
})

test('a form that cannot be sent is not', async () => {
  const { onSubmit } = renderForm({ isDisabled: true })
  await userEvent.type(screen.getByRole('textbox', { name: 'text' }), '{Control>}{Enter}{/Control}')
  expect(onSubmit).not.toHaveBeenCalled()
})

test('a form that handles the keys is sent once', async () => {
  const onKeyDown = vi.fn()
  const { onSubmit } = renderForm({ onKeyDown })
  await userEvent.type(screen.getByRole('textbox', { name: 'text' }), '{Control>}{Enter}{/Control}')
  expect([onKeyDown.mock.calls.length, onSubmit.mock.calls.length]).toEqual([1, 0])
})
