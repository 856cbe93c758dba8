import { randomUUID } from 'node:crypto'
import { expect, it, vi } from 'vitest'
import type { Frame, Run } from '#contract/console/runs.ts'
import { createAnswerIds, openStream, toMessageBlock, toMessageEndBlock } from '#support/platforms/scriptedPlatform.ts'
import { readFrames, TestConsole } from '../../app.testing.ts'

const JUMP_MS = 5 * 60_000

it('a clock that jumps back and forth during a stream changes neither the times of its frames nor its end', async () => {
  const bench = await TestConsole.start()
  const now = Date.now.bind(Date)
  try {
    bench.platform.script = (_seen, response) => {
      const ids = createAnswerIds()
      openStream(response)
      for (const offsetMs of [-JUMP_MS, JUMP_MS, 0]) {
        vi.spyOn(Date, 'now').mockImplementation(() => now() + offsetMs)
        response.write(toMessageBlock(ids, `${offsetMs} `))
      }
      response.end(toMessageEndBlock(ids))
    }
    const id = randomUUID()
    const { run } = readFrames(await (await bench.ask({}, { 'run-id': id })).text())
    expect(run).toMatchObject({ status: 'succeeded', frames: 4 })
    const data = await bench.list<Frame>(`/api/runs/${id}/frames`)
    const times = data.map(({ at }) => at)
    expect(times).toEqual(times.toSorted((one, other) => one - other))
    expect(times.at(-1)).toBeLessThan(JUMP_MS)
    expect((await bench.json<Run>('GET', `/api/runs/${id}`)).duration_ms).toBeLessThan(JUMP_MS)
  } finally {
    vi.restoreAllMocks()
    await bench.remove()
  }
})
