import { expect, it } from 'vitest'
import { killWhileStreaming } from './killStreams.ts'

it('a Loupe that is killed while it reads thirty streams has every frame that it has shown, and ends each run', async () => {
  const cycles = await killWhileStreaming({ cycles: 2, streams: 30 })
  expect(cycles.flatMap(({ problems }) => problems)).toEqual([])
})
