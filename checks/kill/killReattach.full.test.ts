import { expect, it } from 'vitest'
import { killWhileWorkflows } from './killReattach.ts'

/** Starts, first words and ends have limits of their own, which say more than this one. */
const TIME_LIMIT_MS = 1_200_000

it(
  'workflows that a killed Loupe was reading end as the platform says, with every node once',
  async () => {
    const [cycle] = await killWhileWorkflows({ cycles: 1, streams: 10 })
    expect(cycle).toMatchObject({ problems: [], ends: { succeeded: 10 }, takenUp: 10 })
    expect(cycle?.framesAfter).toBeGreaterThan(0)
  },
  TIME_LIMIT_MS,
)
