import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { RangeField } from './RangeField.tsx'
import { renderPage } from '../../client/page.testing.tsx'

function Field({ initial }: { initial: string }) {
  const [value, setValue] = useState(initial)
  return (
    <RangeField label="Score threshold" value={value} onChange={setValue} emptyLabel="not set" clearLabel="Clear" />
  )
}

test('without a value the slider is empty and says so; a typed number fills it, and Clear empties it', async () => {
  renderPage(<Field initial="" />)
  const slider = screen.getByRole('slider', { name: 'Score threshold' })
  const number = screen.getByRole('textbox', { name: 'Score threshold' })
  expect(slider.dataset['empty']).toBe('true')
  expect(number.id).not.toBe(slider.id)
  expect(slider.getAttribute('aria-valuetext')).toBe('not set')
  expect(screen.queryByRole('button', { name: 'Clear' })).toBeNull()
  await userEvent.type(number, '0.35')
  expect(slider.dataset['empty']).toBeUndefined()
  expect(slider).toHaveProperty('value', '0.35')
  await userEvent.click(screen.getByRole('button', { name: 'Clear' }))
  expect(number).toHaveProperty('value', '')
  expect(slider.dataset['empty']).toBe('true')
})
