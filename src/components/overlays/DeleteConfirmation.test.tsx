import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { DeleteConfirmation } from './DeleteConfirmation.tsx'
import { renderPage } from '../../client/page.testing.tsx'

function open(typedName?: string) {
  const onDelete = vi.fn()
  renderPage(
    <DeleteConfirmation
      lost={['The workspace and its 2 keys.']}
      kept={['Calls and runs stay in the ledger.']}
      confirmLabel="Delete the workspace"
      cancelLabel="Cancel"
      isPending={false}
      problem={undefined}
      action="delete the workspace"
      onDelete={onDelete}
      onClose={() => undefined}
      {...(typedName === undefined ? {} : { typedName })}
    />,
  )
  return onDelete
}

test('a confirmation lists what is lost and what is kept, and the way out has the focus', async () => {
  const onDelete = open()
  expect(screen.getByRole('list', { name: 'What is lost' }).textContent).toBe('The workspace and its 2 keys.')
  expect(screen.getByRole('list', { name: 'What is kept' }).textContent).toBe('Calls and runs stay in the ledger.')
  expect(screen.getByRole('button', { name: 'Cancel' }).dataset['autofocus']).toBe('true')
  await userEvent.click(screen.getByRole('button', { name: 'Delete the workspace' }))
  expect(onDelete).toHaveBeenCalledOnce()
})

test('what takes everything with it asks for the name', async () => {
  const onDelete = open('North')
  const confirm = screen.getByRole('button', { name: 'Delete the workspace' })
  expect(confirm).toHaveProperty('disabled', true)
  await userEvent.type(screen.getByRole('textbox', { name: 'Type “North” to confirm' }), 'Nort')
  expect(confirm).toHaveProperty('disabled', true)
  await userEvent.type(screen.getByRole('textbox', { name: 'Type “North” to confirm' }), 'h')
  await userEvent.click(confirm)
  expect(onDelete).toHaveBeenCalledOnce()
})
