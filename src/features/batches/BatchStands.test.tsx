import { renderHook, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { type Batch, DEFAULT_BATCH_LIMITS } from '#contract/console/batches.ts'
import { useBatchCreation } from '../annotations/tableImport/useBatchCreation.ts'
import type { ImportTable } from '../annotations/tableImport/useImportTable.ts'
import { BatchActions } from './BatchActions.tsx'
import { BatchPauseNote } from './BatchPauseNote.tsx'
import { makeBatch } from './batch.testing.ts'
import { makePageWrapper, renderPage } from '../../client/page.testing.tsx'
import { serveApi } from '../../client/consoleApi.testing.ts'

const BATCH = makeBatch()
const retried: unknown[] = []
const server = serveApi(
  http.post('*/api/batches/:batch_id/retry', async ({ request }) => {
    retried.push(await request.json())
    return HttpResponse.json(BATCH)
  }),
)

const show = (batch: Batch) => renderPage(<BatchPauseNote batch={batch} />)
test('the failed rows of a finished batch are run again by one button', async () => {
  show({ ...BATCH, state: 'ended', pause: null, problem: null, counts: { ...BATCH.counts, waiting: 0, failed: 2 } })
  expect(screen.getByText('2 rows have failed.')).toBeTruthy()
  await userEvent.click(await screen.findByRole('button', { name: 'Run failed rows again' }))
  await waitFor(() => expect(retried).toEqual([{ states: ['failed'] }]))
})

test('a batch whose person was shut out says so, and somebody else may resume it', async () => {
  renderPage(
    <>
      <BatchPauseNote batch={BATCH} />
      <BatchActions batch={BATCH} />
    </>,
  )
  expect(await screen.findByRole('button', { name: 'Resume' })).toBeTruthy()
  expect(
    screen.getByText('Paused, because the person who started it no longer has permission: Eve was disabled.'),
  ).toBeTruthy()
})

test('a retry of a failed upload goes on with the same batch, under the corrected name', async () => {
  let stored: Batch | null = null
  let failures = 1
  server.use(
    http.post('*/api/batches', async ({ request }) => {
      const { id, name } = (await request.json()) as Batch
      stored ??= { ...BATCH, id, name }
      return HttpResponse.json(stored)
    }),
    http.patch('*/api/batches/:batch_id', async ({ request }) => {
      stored = { ...(stored ?? BATCH), ...((await request.json()) as Partial<Batch>) }
      return HttpResponse.json(stored)
    }),
    http.post('*/api/batches/:batch_id/rows', () =>
      failures-- > 0 ? HttpResponse.error() : HttpResponse.json({ id: stored?.id, missing: 0 }),
    ),
    http.post('*/api/batches/:batch_id/start', () => HttpResponse.json(stored)),
  )
  const made: string[] = []
  const worker = { call: () => Promise.resolve('[{"inputs":{}}]') }
  const imported = { worker, source: null, total: 1, contentKey: 'table' } as unknown as ImportTable
  const { result } = renderHook(() => useBatchCreation(imported, (id) => made.push(id)), { wrapper: makePageWrapper() })
  const create = (name: string) =>
    result.current.createBatch({
      kind: 'run',
      key: BATCH.id,
      name,
      settings: { user: 'ada', response_mode: 'blocking' },
      bounds: DEFAULT_BATCH_LIMITS,
      dryRunRows: null,
    })
  await create('Tpyo')
  await waitFor(() => expect(result.current.problem?.kind).toBe('unreachable'))
  await create('Typo')
  expect(stored).toMatchObject({ id: made[0], name: 'Typo' })
})
