import { MantineProvider } from '@mantine/core'
import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { Dialog } from './Dialog.tsx'

test.each([false, true])('Escape closes a dialog unless it has something to lose: %s', async (isDirty) => {
  const onClose = vi.fn()
  render(
    <MantineProvider env="test">
      <Dialog title="Metadata" isDirty={isDirty} onClose={onClose}>
        <input />
      </Dialog>
    </MantineProvider>,
  )
  await userEvent.type(screen.getByRole('textbox'), 'winter{Escape}')
  expect(onClose).toHaveBeenCalledTimes(isDirty ? 0 : 1)
  onClose.mockReset()
  await userEvent.click(screen.getByRole('button', { name: 'Close' }))
  expect(onClose).toHaveBeenCalledOnce()
})
