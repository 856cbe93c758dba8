import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { expect, test, vi } from 'vitest'
import { serveApi, toPage } from '../../../client/consoleApi.testing.ts'
import { renderPage } from '../../../client/page.testing.tsx'
import { makeRun } from '../../../client/runRow.testing.ts'
import { makeSession } from '../../../client/session.testing.ts'
import { RunInspector } from './RunInspector.tsx'

const [FIRST, SECOND] = [1, 2].map((n) => `${n}1111111-1111-4111-8111-111111111111`) as [string, string]
const exportStart = Promise.withResolvers<void>()
serveApi(
  http.get('*/api/session', () => HttpResponse.json(makeSession('admin'))),
  http.get('*/api/runs/:run_id/frames', () =>
    HttpResponse.json(toPage([{ seq: 1, at: 1, bytes: 13, block: 'event: ping' }])),
  ),
  http.get('*/api/runs/:run_id', async () => {
    await exportStart.promise
    return HttpResponse.json({ kind: 'fault', status: 500, message: 'The database is full.' }, { status: 500 })
  }),
)

test('the progress and the failure of an export are shown with its run only', async () => {
  const inspector = (id: string) => (
    <RunInspector
      run_id={id}
      run={makeRun({ id })}
      workspace="w"
      tab="frames"
      source={null}
      onTab={vi.fn()}
      onClose={null}
    />
  )
  const { rerender } = renderPage(inspector(FIRST))
  await userEvent.click(await screen.findByRole('button', { name: 'Export run as a file' }))
  expect(screen.getByText('Preparing the export.')).toBeDefined()
  rerender(inspector(SECOND))
  expect(screen.queryByText('Preparing the export.')).toBeNull()
  rerender(inspector(FIRST))
  exportStart.resolve()
  expect(await screen.findByText(/The database is full/)).toBeDefined()
  rerender(inspector(SECOND))
  expect(screen.queryByText(/The database is full/)).toBeNull()
})
