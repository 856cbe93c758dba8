import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { delay, http, HttpResponse } from 'msw'
import { expect, test, vi } from 'vitest'
import { serveApi } from '../../../client/consoleApi.testing.ts'
import { renderPage } from '../../../client/page.testing.tsx'
import { makeRun } from '../../../client/runRow.testing.ts'
import { ReplayRuns } from './SelectionBar.tsx'

const [UNSENDABLE, OTHER] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222']
const runs = [UNSENDABLE, OTHER].map((id) => makeRun({ id, entry: 'workflows.run' }))
let sent: string[] = []
const server = serveApi(
  http.get('*/api/runs/:run_id', ({ params: { run_id } }) => {
    const request = { inputs: {}, user: 'ada' }
    const pinned_workflow_id = run_id === UNSENDABLE ? '\ud800' : null
    return HttpResponse.json({ ...runs[0], id: run_id, answer: null, request, pinned_workflow_id })
  }),
  http.post('*/workflows/*', ({ request }) => {
    sent.push(request.url)
    return HttpResponse.json({})
  }),
)

test('a run that cannot be sent is counted as failed, and the dialog can be closed', async () => {
  sent = []
  const onClose = vi.fn()
  renderPage(<ReplayRuns runs={runs} onClose={onClose} />)
  await userEvent.click(screen.getByRole('button', { name: 'Replay' }))
  await screen.findByText(/^1 of 2 sent/)
  expect(sent).toHaveLength(1)
  await userEvent.click(screen.getByRole('button', { name: 'Close' }))
  expect(onClose).toHaveBeenCalled()
})

test('runs that are not sent when the page is left are not sent', async () => {
  sent = []
  let reads = 0
  const { promise: isLeft, resolve: leave } = Promise.withResolvers<void>()
  server.use(
    http.get('*/api/runs/:run_id', async () => {
      reads++
      await isLeft
      return HttpResponse.json(null, { status: 404 })
    }),
  )
  const { unmount } = renderPage(<ReplayRuns runs={[...runs, ...runs]} onClose={() => undefined} />)
  await userEvent.click(screen.getByRole('button', { name: 'Replay' }))
  await waitFor(() => expect(reads).toBe(1))
  unmount()
  leave()
  await delay(100)
  expect(reads).toBe(1)
})
