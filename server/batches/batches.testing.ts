import { expect, vi } from 'vitest'
import type { Batch } from '#contract/console/batches.ts'
import type { TestConsole } from '../app.testing.ts'

/** Waits until a batch has the state, and none of its rows is under way. */
export const waitForBatch = (
  testConsole: TestConsole,
  id: string,
  state: Batch['state'],
  pause: Batch['pause'] = null,
): Promise<Batch> =>
  vi.waitFor(
    async () => {
      const batch = await testConsole.json<Batch>('GET', `/api/batches/${id}`)
      expect(batch).toMatchObject({ state, counts: { running: 0 }, ...(state === 'ended' || pause ? { pause } : {}) })
      return batch
    },
    { interval: 20 },
  )
