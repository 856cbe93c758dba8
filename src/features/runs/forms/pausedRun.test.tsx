import { waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test, vi } from 'vitest'
import { runStore } from '../../../client/useRun.ts'
import { serveApi } from '../../../client/consoleApi.testing.ts'
import { renderPage } from '../../../client/page.testing.tsx'
import { makeRun } from '../../../client/runRow.testing.ts'
import { sampleTurn } from '../turn.testing.ts'
import { RunForms } from './RunForms.tsx'

let row = makeRun({ status: 'streaming', frames: 0 })
let readCount = 0
serveApi(
  http.get('*/api/runs/:run_id', () => {
    readCount++
    return HttpResponse.json(row)
  }),
)

test('a row that was read before the pause is not taken for a run that goes on', async () => {
  const continueWatching = vi.spyOn(runStore, 'continueWatching')
  renderPage(<RunForms turn={sampleTurn({ state: 'paused', frames: 4 })} app={null} />)
  await waitFor(() => expect(readCount).toBeGreaterThan(1), { timeout: 30_000 })
  expect(continueWatching).not.toHaveBeenCalled()
  row = makeRun({ status: 'streaming', frames: 4 })
  await waitFor(() => expect(continueWatching).toHaveBeenCalled(), { timeout: 30_000 })
})
