import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { NumberField, RequiredNumberField } from './NumberField.tsx'
import { renderPage } from '../../client/page.testing.tsx'

function OptionalField() {
  const [number, setNumber] = useState<number | null>(null)
  return (
    <>
      <NumberField label="Weight" min={0} number={number} onNumber={setNumber} />
      <output>{JSON.stringify(number)}</output>
    </>
  )
}

function RequiredField() {
  const [number, setNumber] = useState(4)
  return (
    <>
      <RequiredNumberField label="At once" min={1} max={50} allowDecimal={false} number={number} onNumber={setNumber} />
      <output>{JSON.stringify(number)}</output>
    </>
  )
}

test('a number with decimals is typed key by key, and an empty field is none', async () => {
  renderPage(<OptionalField />)
  const field = screen.getByRole('textbox', { name: 'Weight' })
  const number = screen.getByRole('status')
  await userEvent.type(field, '0.05')
  expect(field).toHaveProperty('value', '0.05')
  expect(number.textContent).toBe('0.05')
  await userEvent.clear(field)
  expect(number.textContent).toBe('null')
})

test('a required field can be emptied to type another number, and gets its number back where none is typed', async () => {
  renderPage(<RequiredField />)
  const field = screen.getByRole('textbox', { name: 'At once' })
  const number = screen.getByRole('status')
  await userEvent.clear(field)
  expect(field).toHaveProperty('value', '')
  expect(number.textContent).toBe('4')
  await userEvent.type(field, '25')
  expect(number.textContent).toBe('25')
  await userEvent.clear(field)
  await userEvent.tab()
  expect(field).toHaveProperty('value', '25')
  expect(number.textContent).toBe('25')
})
