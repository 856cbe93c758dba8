import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import type { Run } from '#contract/console/runs.ts'
import { findPlatformEntry } from '#contract/platformEntries.ts'
import { replayExchange } from '#support/platforms/replayPlatform.ts'
import { sendError } from '#support/platforms/scriptedPlatform.ts'
import { getRecordedEnd, isStopped } from '#support/recordings/recordedEnds.ts'
import { isStream, readRecordings, type RecordedExchange, toPieces } from '#support/recordings/recordings.ts'
import { toGeneratingEntry } from '../ledger/runStatus.ts'
import { readFrames, TestConsole } from '../app.testing.ts'
import { getKeyKind, toTestRequest } from '../relay/requests.testing.ts'
import { EventSplitter } from './streaming/eventSplitter.ts'

const USER = 'recorder'
const STOP_PATHS: Record<string, string> = {
  'chat.send': '/chat-messages/:task_id/stop',
  'completion.send': '/completion-messages/:task_id/stop',
  'workflows.run': '/workflows/tasks/:task_id/stop',
}

/** The blocks of a recorded stream, as they came. */
function toBlocks(exchange: RecordedExchange): string[] {
  const splitter = new EventSplitter()
  const blocks = splitter.push(Buffer.concat(toPieces(exchange)))
  const rest = splitter.end()
  return [...blocks, ...(rest ? [rest] : [])].map(({ text }) => text)
}

/** Runs what was recorded, with a stop before the last piece where the recorder stopped it. @returns the frames sent and the run. */
async function replayRun(testConsole: TestConsole, exchange: RecordedExchange) {
  const found = findPlatformEntry(exchange.request.method, exchange.request.path)
  if (!found?.entry.events) return null
  const key = testConsole.keys[getKeyKind(found.entry)]
  const task_id = /"task_id":"([^"]+)"/.exec(exchange.response.body)?.[1] ?? ''
  const pieceCount = toPieces(exchange).length
  const stop = async (index: number) => {
    if (!isStopped(exchange) || index < pieceCount - 1) return
    const path = (STOP_PATHS[toGeneratingEntry(found.name)] ?? '').replace(':task_id', task_id)
    const stopped = await testConsole.fetch('POST', `/api/keys/${key}${path}`, { user: USER })
    expect(stopped.status).toBe(200)
  }
  testConsole.platform.script = ({ method, path }, response) => {
    if (path.endsWith('/stop')) return sendError(response, 200, { result: 'success' })
    if (method === 'POST') return replayExchange(exchange, response, stop)
    sendError(response, 404, { code: 'not_found', message: 'Not recorded.', status: 404 })
  }
  const run_id = randomUUID()
  const { body } = toTestRequest(found.entry, testConsole.keys)
  const asked = { ...(body as Record<string, unknown>), user: USER, response_mode: 'streaming' }
  const path = `/api/keys/${key}${exchange.request.path}`
  const reply = await testConsole.fetch('POST', path, asked, { 'run-id': run_id })
  const { frames } = readFrames(await reply.text())
  return { frames, run: await testConsole.json<Run>('GET', `/api/runs/${run_id}`) }
}

/** Each recorded stream of a folder through the console. */
export const testStreams = (title: string, folder: string, streamCount: number) => () => {
  const testConsole = TestConsole.forFile(undefined, { RATE_LIMIT_FACTOR: '1000' })

  it(`${title}: each frame passes unchanged, and each run ends as the recording shows`, async () => {
    const streams = readRecordings(folder).flatMap(({ name, exchanges }) =>
      exchanges.filter(isStream).map((exchange) => ({ release: name, exchange })),
    )
    const ends: Record<string, string> = {}
    for (const { release, exchange } of streams) {
      const replayed = await replayRun(testConsole, exchange)
      if (!replayed) continue
      const name = `${release}: ${exchange.name}`
      expect([name, replayed.frames.map(({ block }) => block)]).toEqual([name, toBlocks(exchange)])
      ends[name] = replayed.run.status
    }
    const expected = streams.map(({ release, exchange }) => [`${release}: ${exchange.name}`, getRecordedEnd(exchange)])
    expect(ends).toEqual(Object.fromEntries(expected.filter(([name]) => name && name in ends)))
    expect(Object.keys(ends)).toHaveLength(streamCount)
  })
}
