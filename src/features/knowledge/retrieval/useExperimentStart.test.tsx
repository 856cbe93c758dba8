import { QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import type { ReactNode } from 'react'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Experiment, Suite } from '#contract/console/suites.ts'
import { newQueryClient } from '../../../client/query.ts'
import { makeBatch } from '../../batches/batch.testing.ts'
import { useExperimentStart } from './useExperimentStart.ts'

const EXPERIMENT: Experiment = {
  id: '00000000-0000-4000-8000-000000000009',
  suite: '00000000-0000-4000-8000-000000000008',
  suite_revision: 1,
  target: { key: 'k', source: 'retrieve', dataset_id: 'd', workflow_id: null, retrieval_model: null },
  repetitions: 1,
  tags: {},
  outcomes: { pass: 1, fail: 0, error: 0 },
  metrics: { hit: null, mrr: null, ndcg: null, recall: null, precision: null },
  is_baseline: false,
  approved_by: null,
  approved_at: null,
  batch: makeBatch(),
}

const ids: string[] = []
let isLost = false
const server = setupServer(
  http.post('*/api/suites/:suite_id/experiments', async ({ request }) => {
    ids.push(((await request.json()) as { id: string }).id)
    return isLost ? HttpResponse.error() : HttpResponse.json(EXPERIMENT)
  }),
)
beforeAll(() => server.listen())
beforeEach(() => ids.splice(0))
afterAll(() => server.close())

const SUITE = { id: EXPERIMENT.suite, last: null } as Suite

function renderStart() {
  const client = newQueryClient()
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  const { result, rerender } = renderHook(({ suite }) => useExperimentStart(suite), {
    wrapper,
    initialProps: { suite: SUITE },
  })
  const press = async (body: { repetitions: number }, isReplyLost: boolean) => {
    isLost = isReplyLost
    const sent = ids.length
    act(() => result.current.start(body))
    await waitFor(() => expect(ids).toHaveLength(sent + 1))
    await waitFor(() => expect(result.current.isPending).toBe(false))
    return ids.at(-1)
  }
  return { press, rerender }
}

test('an experiment whose reply was lost is asked for again by its id; changed fields or a success make another', async () => {
  const { press } = renderStart()
  const first = await press({ repetitions: 1 }, true)
  expect(await press({ repetitions: 1 }, false)).toBe(first)
  const second = await press({ repetitions: 1 }, true)
  expect(second).not.toBe(first)
  expect(await press({ repetitions: 2 }, true)).not.toBe(second)
})

test('an experiment whose reply was lost, but that is shown as ended, is not asked for again', async () => {
  const { press, rerender } = renderStart()
  const first = (await press({ repetitions: 1 }, true)) ?? ''
  const batch = makeBatch({ state: 'ended', pause: null })
  rerender({ suite: { ...SUITE, last: { ...EXPERIMENT, id: first, batch } } as Suite })
  expect(await press({ repetitions: 1 }, false)).not.toBe(first)
})
