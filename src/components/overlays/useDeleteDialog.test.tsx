import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { ProblemError } from '#contract/problem.ts'
import { renderPage } from '../../client/page.testing.tsx'
import { useDeleteDialog } from './useDeleteDialog.ts'

const run = vi.fn<() => Promise<void>>()
beforeEach(() => {
  run.mockReset()
})

function WorkspaceRow() {
  const openDelete = useDeleteDialog()
  const ask = () =>
    openDelete({
      title: 'Delete the workspace North?',
      lost: ['The workspace and its 2 keys.'],
      confirmLabel: 'Delete the workspace',
      cancelLabel: 'Keep it',
      action: 'delete the workspace',
      run,
    })
  return <button onClick={ask}>Delete North</button>
}

function WorkspacePage() {
  const [hasRow, setHasRow] = useState(true)
  return (
    <>
      {hasRow ? <WorkspaceRow /> : null}
      <button onClick={() => setHasRow(false)}>Hide North</button>
    </>
  )
}

const ask = async () => {
  renderPage(<WorkspacePage />)
  await userEvent.click(screen.getByRole('button', { name: 'Delete North' }))
  return screen.findByRole('dialog', { name: 'Delete the workspace North?' })
}
const confirm = () => userEvent.click(screen.getByRole('button', { name: 'Delete the workspace' }))
const isClosed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

test('a confirmed question runs once, closes, and gives the focus back', async () => {
  run.mockResolvedValue()
  await ask()
  await confirm()
  await isClosed()
  expect(run).toHaveBeenCalledOnce()
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Delete North'))
})

test('a refusal is shown in the dialog', async () => {
  run.mockRejectedValue(new ProblemError({ kind: 'denied', message: 'not yours' }))
  await ask()
  await confirm()
  expect((await screen.findByRole('alert')).textContent).toMatch(/Could not delete the workspace.*not yours/)
})

test.each([
  ['Cancel', () => userEvent.click(screen.getByRole('button', { name: 'Keep it' }))],
  ['Close', () => userEvent.click(screen.getByRole('button', { name: 'Close' }))],
  ['Escape', () => userEvent.keyboard('{Escape}')],
])('%s deletes nothing, and the question can be asked again', async (_, close) => {
  await ask()
  await close()
  await isClosed()
  expect(run).not.toHaveBeenCalled()
  await userEvent.click(screen.getByRole('button', { name: 'Delete North' }))
  expect(await screen.findByRole('dialog')).toBeDefined()
})

test('the dialog closes with the component that asked', async () => {
  await ask()
  screen.getByText('Hide North').click()
  await isClosed()
})
