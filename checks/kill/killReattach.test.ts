import { expect, it } from 'vitest'
import { killWhileWorkflows } from './killReattach.ts'

it('workflows that a killed Loupe was reading end as the platform says, with every node once', async () => {
  const [cycle] = await killWhileWorkflows({ cycles: 1, streams: 10 })
  expect(cycle).toMatchObject({ problems: [], ends: { succeeded: 10 }, takenUp: 10 })
  expect(cycle?.framesAfter).toBeGreaterThan(0)
})
