import { expect, it } from 'vitest'
import { killWhileExperiment } from './killExperiment.ts'

it('a Loupe that is killed twice during a judged experiment asks no case twice, and each row has its verdicts or is unknown', async () => {
  const { counts, ended_before_kill, problems } = await killWhileExperiment({ cases: 120, kills: 2 })
  expect(problems).toEqual([])
  expect(counts.succeeded + counts.unknown).toBe(120)
  expect(counts.unknown).toBeLessThanOrEqual(16)
  for (const ended of ended_before_kill) expect(ended).toBeLessThan(120)
})
