import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useRef } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { listRowAttributes, useListKeys, type ListKeysOptions } from './useListKeys.tsx'

const NAMES = ['Lamp', 'Pump', 'Valve']

function List({ label = 'parts', ...options }: { label?: string } & Partial<Omit<ListKeysOptions, 'container'>>) {
  const list = useRef<HTMLUListElement>(null)
  const { status } = useListKeys({
    container: list,
    count: NAMES.length,
    getId: (index) => `${label}-${index}`,
    ...options,
  })
  return (
    <ul ref={list}>
      {NAMES.map((name, index) => (
        <li key={name} {...listRowAttributes(index, `${label}-${index}`)}>
          <input type="checkbox" aria-label={`Select ${label} ${name}`} />
          <a href={`#${name}`}>
            {label} {name}
          </a>
        </li>
      ))}
      {status}
    </ul>
  )
}

const getFocused = () => document.activeElement?.textContent

beforeEach(() => history.replaceState({ key: crypto.randomUUID() }, ''))

test('j and k move between the rows and stop at their ends, arrows move once a row has the focus', async () => {
  const person = userEvent.setup()
  render(<List />)
  await person.keyboard('{ArrowDown}')
  expect(document.activeElement).toBe(document.body)
  await person.keyboard('j')
  expect(getFocused()).toBe('parts Lamp')
  await person.keyboard('j{ArrowDown}jj')
  expect(getFocused()).toBe('parts Valve')
  await person.keyboard('k{ArrowUp}kk')
  expect(getFocused()).toBe('parts Lamp')
  await person.keyboard('{Escape}')
  expect(getFocused()).not.toBe('parts Lamp')
})

test('x selects, Shift x selects a range, e edits, c copies and says so: each for the row with the focus', async () => {
  const person = userEvent.setup()
  const [onSelect, onEdit] = [vi.fn(), vi.fn()]
  render(<List onSelect={onSelect} onEdit={onEdit} />)
  await person.keyboard('xe')
  expect(onSelect).not.toHaveBeenCalled()
  await person.keyboard('jxjj{Shift>}X{/Shift}ec')
  expect(onSelect.mock.calls).toEqual([
    [0, { isRange: false }],
    [2, { isRange: true }],
  ])
  expect(onEdit.mock.calls).toEqual([[2]])
  await screen.findByText('Id parts-2 copied.')
  expect(await navigator.clipboard.readText()).toBe('parts-2')
})

test('the keys go on after a click on a checkbox of a row, and are letters in a text field', async () => {
  const person = userEvent.setup()
  const onEdit = vi.fn()
  render(
    <>
      <input aria-label="Search" />
      <List onEdit={onEdit} />
    </>,
  )
  await person.click(screen.getByRole('checkbox', { name: 'Select parts Pump' }))
  await person.keyboard('e')
  expect(onEdit.mock.calls).toEqual([[1]])
  await person.click(screen.getByRole('textbox', { name: 'Search' }))
  await person.keyboard('jej')
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Search' }).value).toBe('jej')
  expect(onEdit).toHaveBeenCalledTimes(1)
})

test('of two lists the one with the focus takes the keys, without focus the first', async () => {
  const person = userEvent.setup()
  render(
    <>
      <List label="parts" />
      <List label="tools" />
    </>,
  )
  await person.keyboard('j')
  expect(getFocused()).toBe('parts Lamp')
  screen.getByRole('link', { name: 'tools Pump' }).focus()
  await person.keyboard('j')
  expect(getFocused()).toBe('tools Valve')
})

test('a list under a dialog does not move', async () => {
  const person = userEvent.setup()
  render(
    <>
      <List />
      <div role="dialog" aria-label="Delete">
        <button type="button">Cancel</button>
      </div>
    </>,
  )
  screen.getByRole('button', { name: 'Cancel' }).focus()
  await person.keyboard('jk')
  expect(getFocused()).toBe('Cancel')
})

test('the row that was left has the focus again after Back, at another address none has', async () => {
  const person = userEvent.setup()
  const first = render(<List />)
  await person.keyboard('jj')
  first.unmount()
  const key: unknown = history.state
  history.replaceState({ key: 'another' }, '')
  const other = render(<List />)
  await new Promise((resolve) => requestAnimationFrame(resolve))
  expect(document.activeElement).toBe(document.body)
  other.unmount()
  history.replaceState(key, '')
  render(<List />)
  await vi.waitFor(() => expect(getFocused()).toBe('parts Pump'))
})

test('a row that has lost the focus before the first frame is not focused again', async () => {
  render(<List />)
  const link = screen.getByRole('link', { name: 'parts Pump' })
  link.focus()
  link.blur()
  await new Promise((resolve) => requestAnimationFrame(resolve))
  await new Promise((resolve) => requestAnimationFrame(resolve))
  expect(document.activeElement).toBe(document.body)
})
