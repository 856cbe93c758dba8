import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { SegmentedControl } from './SegmentedControl.tsx'

function Choice({ disabled = false }: { disabled?: boolean }) {
  const [value, setValue] = useState<'a' | 'b'>('a')
  return (
    <SegmentedControl
      aria-label="Letter"
      value={value}
      onChange={setValue}
      disabled={disabled}
      data={[
        { value: 'a', label: 'First' },
        { value: 'b', label: 'Second' },
      ]}
    />
  )
}
const isChosen = (name: string) => screen.getByRole<HTMLInputElement>('radio', { name }).checked

test('one of the words is chosen', async () => {
  render(<Choice />)
  expect(screen.getByRole('radiogroup', { name: 'Letter' })).toBeDefined()
  await userEvent.click(screen.getByText('Second'))
  expect([isChosen('First'), isChosen('Second')]).toEqual([false, true])
  await userEvent.click(screen.getByRole('radio', { name: 'First' }))
  expect([isChosen('First'), isChosen('Second')]).toEqual([true, false])
})

test('none is while it is disabled', async () => {
  render(<Choice disabled />)
  await userEvent.click(screen.getByText('Second'))
  expect(isChosen('First')).toBe(true)
})
