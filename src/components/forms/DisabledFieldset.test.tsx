import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { DisabledFieldset } from './DisabledFieldset.tsx'

const Form = ({ isSaving }: { isSaving: boolean }) => (
  <>
    <DisabledFieldset isDisabled={isSaving}>
      <input aria-label="Name" />
      <input aria-label="Description" />
    </DisabledFieldset>
    <button type="button">Discard</button>
  </>
)
const getField = (name: string) => screen.getByRole('textbox', { name })

test('a field that was focused when the fields were disabled has the focus again', () => {
  const { rerender } = render(<Form isSaving={false} />)
  getField('Description').focus()
  rerender(<Form isSaving />)
  // As the browser does with a control that is disabled; jsdom does not.
  getField('Description').blur()
  rerender(<Form isSaving={false} />)
  expect(document.activeElement).toBe(getField('Description'))
})
