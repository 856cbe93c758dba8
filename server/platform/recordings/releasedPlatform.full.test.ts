import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { expect, it, vi } from 'vitest'
import { readSharedRecordings, toOperation, type RecordedExchange } from '#support/recordings/recordings.ts'
import { describeWith, requirements } from '#support/requirements.ts'
import { openPlatform, openPlatformDatabase, type OpenPlatform } from '../datasets/platform.fixture.ts'
import { openModel } from '../model/model.ts'
import { startModelEndpoint } from '../model/modelEndpoint.fixture.ts'
import { parseDifferenceTable, toDifferenceLine, type ListedDifference } from './differenceTable.testing.ts'
import { RecordingReplay } from './replayRecording.testing.ts'
import { compareHeaders, compareReplies, type ComparedReply } from './replyDifferences.testing.ts'

const RELEASE = 'dify-1.16.1'
const PAGE = new URL('../../../docs/platform-differences.md', import.meta.url)

/** Our applications by the recorded ones that they are like. The other recorded ones are of kinds that are not here. */
const KEYS: Record<string, string> = {
  knowledge: 'key-knowledge',
  chat: 'key-chat',
  completion: 'key-completion',
  workflow: 'key-workflow',
  branch: 'key-workflow',
  llmflow: 'key-workflow',
  fail: 'key-workflow-inspect',
  wrong: 'key-nobody',
}

/** Exchanges whose replies say how far something was at that moment, or what a reader that left has seen. */
const DEPENDS_ON_MOMENT =
  /^indexing status, (?!.*at the end)|^annotation job, at once|, (stopped|cut) ?|of the stopped one|after the stop|at once after the cut|^llmflow, run detail later/

/** Inputs for our forms, where they ask for something else than the recorded ones. */
const INPUTS: Record<string, object> = {
  'chat, input missing': { detail: 'no such' },
  'fail, streaming, x': { fail: true },
  'llmflow, streaming, FAILMODEL': { query: 'FAILMODEL Oolong tea' },
}

describeWith(requirements.sharedData(`real-servers/${RELEASE}.jsonl`))('the built-in platform and the release', () => {
  it('differ as the table says, and in nothing else', async () => {
    const listed = parseDifferenceTable(readFileSync(PAGE, 'utf8')).map(toDifferenceLine)
    const found = [...new Set((await findDifferences()).map(toDifferenceLine))]
    expect({
      unlisted: found.filter((line) => !listed.includes(line)),
      gone: listed.filter((line) => !found.includes(line)),
    }).toEqual({ unlisted: [], gone: [] })
  })
})

async function findDifferences(): Promise<ListedDifference[]> {
  const store = await openPlatformDatabase()
  const endpoint = await startModelEndpoint({
    refuse: { status: 400, message: 'told to fail', messagesWith: 'FAILMODEL' },
  })
  const model = openModel({ base_url: endpoint.url, name: 'small', embedding_model: 'stub-embed' })
  const platform = await openPlatform(store.database, { model })
  try {
    await platform.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = platform.app.server.address() as AddressInfo
    const replay = new RecordingReplay({ base: `http://127.0.0.1:${port}/v1`, keys: KEYS })
    const differences: ListedDifference[] = []
    for (const exchange of readRelease()) {
      const ours = await sendSettled(platform, replay, exchange)
      replay.learn(exchange.response, ours)
      const operation = toOperation(exchange.request)
      differences.push(
        ...compareReplies(exchange.response, ours).map((difference) => ({ operation, ...difference })),
        ...compareHeaders(exchange.response, ours).map((difference) => ({ operation: '*', ...difference })),
      )
    }
    return differences
  } finally {
    await platform.close()
    await endpoint.close()
    await store.close()
  }
}

function readRelease(): RecordedExchange[] {
  const recording = readSharedRecordings().find(({ name }) => name === RELEASE)
  return (recording?.exchanges ?? []).filter(
    ({ name, request }) => (request.key === null || request.key in KEYS) && !DEPENDS_ON_MOMENT.test(name),
  )
}

/** Sends a request and waits until what it has begun is done, so that the next replies do not depend on the moment. */
async function sendSettled(
  platform: OpenPlatform,
  replay: RecordingReplay,
  exchange: RecordedExchange,
): Promise<ComparedReply> {
  const inputs = INPUTS[exchange.name]
  const body = inputs && { ...(exchange.request.body as object), inputs }
  const ours = await replay.send(exchange, body)
  if (exchange.name === 'annotation job, later')
    return vi.waitFor(async () => {
      const reply = await replay.send(exchange)
      expect(JSON.parse(reply.body)).toMatchObject({ job_status: 'completed' })
      return reply
    })
  const { document } = (
    /\/(create|update)-by-/.test(exchange.request.path) && ours.status === 200 ? JSON.parse(ours.body) : {}
  ) as { document?: { id: string } }
  if (document) {
    const [, dataset_id = ''] = /^\/datasets\/([^/]+)/.exec(replay.toOurPath(exchange.request.path)) ?? []
    await platform.settle(dataset_id, document.id)
  }
  return ours
}
