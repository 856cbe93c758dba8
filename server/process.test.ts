import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Frame, Run } from '#contract/console/runs.ts'
import type { LoupeProcess } from '#support/loupeProcess.ts'
import { ScriptedPlatform } from '#support/platforms/scriptedPlatform.ts'
import { BrowserClient, type RequestedRun } from '../checks/kill/browserClient.ts'
import { addAppKeys, createPreparedLoupe, signIn } from '../checks/kill/consoleClient.ts'
import { inspectRuns } from '../checks/kill/killStreams.ts'
import { streamForever } from '../checks/kill/streamingPlatform.ts'

const FRAME_INTERVAL_MS = 5
const MIN_SHOWN_FRAMES = 50

/** The server as people start it, on an embedded database, with a platform that speaks until it is cut. */
describe('the process', () => {
  let platform: ScriptedPlatform
  let loupe: LoupeProcess
  let keys: Awaited<ReturnType<typeof addAppKeys>>
  beforeAll(async () => {
    platform = await ScriptedPlatform.start()
    loupe = await createPreparedLoupe({ PLATFORM: 'off', STOP_TIMEOUT_SECONDS: '1' })
    await loupe.start()
    keys = await addAppKeys((await signIn(loupe)).send, platform.url)
  })
  beforeEach(async () => {
    if (loupe.pid === undefined) await loupe.start()
  })
  afterAll(async () => {
    await loupe.remove()
    await platform.close()
  })

  /** Three runs, over the WebSocket and as an event stream, of which a browser has been shown some frames. */
  const showRuns = async (name: string): Promise<RequestedRun[]> => {
    streamForever(platform, FRAME_INTERVAL_MS)
    const browser = await BrowserClient.open(loupe.url, (await signIn(loupe)).cookie, keys)
    const runs = browser.startRuns(name, 3, 3)
    await expect
      .poll(() => Math.min(...runs.map(({ shownFrames }) => shownFrames.size)))
      .toBeGreaterThan(MIN_SHOWN_FRAMES)
    return runs
  }

  it('that is killed has stored every frame that a browser was shown, and settles its runs at its next start', async () => {
    const runs = await showRuns('killed')
    await loupe.kill()
    await Promise.all(runs.map(({ done }) => done))
    await loupe.start()
    const { send } = await signIn(loupe)
    expect(await inspectRuns(send, runs, platform)).toMatchObject({ ends: { interrupted: 3 }, problems: [] })
    const id = runs[0]?.id
    const run = await send<Run & { answer: { text: string } }>('GET', `/api/runs/${id}`)
    const { data } = await send<{ data: Frame[] }>('GET', `/api/runs/${id}/frames?limit=5000`)
    expect(run).toMatchObject({ problem: { kind: 'cut' }, frames: data.length })
    expect(run.answer.text).toBe('word 绿茶 '.repeat(data.length))
  })

  it('that is stopped stores how its runs stand, and exits with 0', async () => {
    const runs = await showRuns('stopped')
    const { pid } = loupe
    const exited = loupe.stop()
    // As from a terminal, which signals the whole group while npm passes the signal on.
    await setTimeout(6)
    process.kill(Number(pid), 'SIGTERM')
    expect(await exited).toBe(0)
    await Promise.all(runs.map(({ done }) => done))
    await loupe.start()
    const { send } = await signIn(loupe)
    expect(await inspectRuns(send, runs, platform)).toMatchObject({ ends: { interrupted: 3 }, problems: [] })
    // Written by the server that stopped, not by the next one, whose message would be another.
    for (const { id } of runs)
      expect((await send<Run>('GET', `/api/runs/${id}`)).problem?.message).toContain('during this run')
  })

  it('does not open a folder in which a byte was altered after the stop, and exits with 74', async () => {
    await loupe.stop()
    flipByte(join(loupe.folder, 'database', 'base', '5'))
    await expect(loupe.start()).rejects.toThrow(/exited with 74:[^]*base\/5\/\d+ is not what it was when Loupe stopped/)
  })

  it('with invalid environment variables names them, and exits with 78', async () => {
    const env = { ...process.env, DATA_DIR: loupe.folder, HOST: '0.0.0.0', PUBLIC_URL: '' }
    await expect(promisify(execFile)(process.execPath, ['server/start.mjs'], { env })).rejects.toMatchObject({
      code: 78,
      stderr: expect.stringMatching(/^Invalid environment variables:\n {2}HOST: .*\n$/) as string,
    })
  })
})

/** Of the largest file in a folder, in its middle. */
function flipByte(folder: string): void {
  const paths = readdirSync(folder).map((name) => join(folder, name))
  const [path = ''] = paths.sort((one, other) => statSync(other).size - statSync(one).size)
  const bytes = readFileSync(path)
  const middle = Math.floor(bytes.length / 2)
  bytes[middle] = (bytes[middle] ?? 0) ^ 1
  writeFileSync(path, bytes)
}
