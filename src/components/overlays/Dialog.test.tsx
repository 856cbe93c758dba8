import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { Dialog } from './Dialog.tsx'
import { renderPage } from '../../client/page.testing.tsx'

test.each([false, true])('Escape closes a dialog unless it has something to lose: %s', async (isDirty) => {
  const onClose = vi.fn()
  renderPage(
    <Dialog title="Metadata" isDirty={isDirty} onClose={onClose}>
      <input />
    </Dialog>,
  )
  await userEvent.type(screen.getByRole('textbox'), 'winter{Escape}')
  expect(onClose).toHaveBeenCalledTimes(isDirty ? 0 : 1)
  onClose.mockReset()
  await userEvent.click(screen.getByRole('button', { name: 'Close' }))
  expect(onClose).toHaveBeenCalledOnce()
})
