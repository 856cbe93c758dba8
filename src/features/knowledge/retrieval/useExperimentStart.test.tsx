import { act, renderHook, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, expect, test } from 'vitest'
import type { Suite } from '#contract/console/suites.ts'
import { makePageWrapper } from '../../../client/page.testing.tsx'
import { makeBatch } from '../../batches/batch.testing.ts'
import { makeExperiment } from '../../suites/experiment.testing.ts'
import { useExperimentStart } from './useExperimentStart.ts'
import { serveApi } from '../../../client/consoleApi.testing.ts'

const EXPERIMENT = makeExperiment()

const ids: string[] = []
let isLost = false
serveApi(
  http.post('*/api/suites/:suite_id/experiments', async ({ request }) => {
    ids.push(((await request.json()) as { id: string }).id)
    return isLost ? HttpResponse.error() : HttpResponse.json(EXPERIMENT)
  }),
)
beforeEach(() => ids.splice(0))

const SUITE = { id: EXPERIMENT.suite, last: null } as Suite

function renderStart() {
  const { result, rerender } = renderHook(({ suite }) => useExperimentStart(suite), {
    wrapper: makePageWrapper(),
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
