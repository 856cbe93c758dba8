import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import type { Batch } from '#contract/console/batches.ts'
import { BatchActions } from './BatchActions.tsx'
import { BatchPauseNote } from './BatchPauseNote.tsx'
import { makeBatch } from './batch.testing.ts'
import { renderPage } from '../../client/page.testing.tsx'
import { serveApi } from '../../client/consoleApi.testing.ts'

const BATCH = makeBatch()
const retried: unknown[] = []
serveApi(
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
