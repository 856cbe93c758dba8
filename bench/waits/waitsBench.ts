import { setTimeout as wait } from 'node:timers/promises'
import type { Batch } from '#contract/console/batches.ts'
import type { Workspace } from '#contract/console/workspaces.ts'
import { LoupeProcess } from '#support/loupeProcess.ts'
import { type SendRaw, type SendRequest, signIn } from '../../checks/kill/consoleClient.ts'
import { openDatabase } from '../../server/db/database.ts'
import { selectParts } from '../benchOptions.ts'
import type { Figure } from '../figure.ts'
import { copyFilledLedger, type FilledLedger } from '../ledger/filledLedger.ts'
import { createParagraphs, createRandom } from '../platform/syntheticTexts.ts'
import { freePort, startUpstream, UPSTREAM_KEY } from '../relayBench.ts'
import { BATCH_ID, fillBatch, sealFrames } from './filledBatch.ts'
import { observeWaits, type ObservedWaits } from './waitObserver.ts'

const CALL_COUNT = 40_000
const FRAMES_PER_CALL = 10
const PURGED_CALLS = 20_000
const REPLY_CHARS = 30_000_000
/** The built-in platform takes 15 MiB, but gives up a text that takes longer than 30 s to cut, as 14 MB did on a busy machine. */
const TEXT_BYTES = 5_000_000
const WARM_UP_MS = 10_000
const IDLE_MS = 10_000
const BATCH_MS = 20_000
const POLL_INTERVAL_MS = 1_000
const STEP_TIMEOUT_MS = 300_000
const MAX_WAIT_MS = 250
const KNOWLEDGE_KEY = 'knowledge-of-the-bench'

/**
 * How long others wait while one big thing happens, on the embedded database: of small requests the longest, and of a stream of
 * 20 frames a second the longest gap. `--part` with one of their names measures one of them alone.
 */
export async function runWaitsBench(): Promise<Figure[]> {
  const parts = selectParts(Object.keys(PARTS) as (keyof typeof PARTS)[])
  const port = await freePort()
  const upstream = await startUpstream(port)
  const loupe = new LoupeProcess({
    LOG_LEVEL: 'info',
    PLATFORM_KNOWLEDGE_KEY: KNOWLEDGE_KEY,
  })
  try {
    const busyConsole = await startBusyConsole(loupe, port)
    // The first requests of a fresh server compile its code and read its tables from the disk.
    await busyConsole.observe(() => wait(WARM_UP_MS))
    const figures = toFigures('nothing else', await busyConsole.observe(() => wait(IDLE_MS)))
    for (const name of parts) for (const one of await PARTS[name](busyConsole)) figures.push(...one)
    return figures
  } finally {
    upstream.kill()
    await loupe.remove()
  }
}

interface BusyConsole {
  loupe: LoupeProcess
  send: SendRequest
  sendRaw: SendRaw
  ledger: FilledLedger
  completionPath: string
  knowledgePath: string
  observe: (work: () => Promise<unknown>, options?: { hasStream?: boolean }) => Promise<ObservedWaits>
}

const PARTS = {
  reply: measureReply,
  document: measureDocument,
  rows: measureBatch,
  opening: measurePage,
  purge: measurePurge,
}

/** A console with a ledger of 40,000 calls, a batch of 100,000 rows and the bench's platform. */
async function startBusyConsole(loupe: LoupeProcess, port: number): Promise<BusyConsole> {
  const ledger = await copyFilledLedger(loupe.folder, CALL_COUNT, CALL_COUNT * FRAMES_PER_CALL)
  await loupe.start()
  const { send, sendRaw } = await signIn(loupe)
  const { id: workspace } = await send<{ id: string }>('POST', '/api/workspaces', {
    name: 'bench',
    base_url: `http://127.0.0.1:${port}/v1`,
  })
  const addKey = async (kind: string) =>
    (
      await send<{ id: string }>('POST', `/api/workspaces/${workspace}/keys`, {
        kind,
        label: kind,
        key: UPSTREAM_KEY,
      })
    ).id
  const [chat, completion] = [await addKey('chat'), await addKey('completion')]
  const { data: workspaces } = await send<{ data: Workspace[] }>('GET', '/api/workspaces')
  const knowledge = workspaces.flatMap(({ keys }) => keys).find(({ kind }) => kind === 'knowledge')?.id ?? ''
  await loupe.stop()
  const database = await openDatabase({ folder: loupe.folder })
  await sealFrames(database.pool)
  await fillBatch(database.pool, { workspace, key: completion })
  // What was filled is no work for the server.
  await database.pool.query('VACUUM (ANALYZE)')
  await database.close()
  await loupe.start()
  return {
    loupe,
    send,
    sendRaw,
    ledger,
    completionPath: `/api/keys/${completion}/completion-messages`,
    knowledgePath: `/api/keys/${knowledge}`,
    observe: async (work, { hasStream = true } = {}) => {
      const end = observeWaits(sendRaw, hasStream ? `/api/keys/${chat}/chat-messages` : null)
      await work()
      return end()
    },
  }
}

/** Reads a reply without keeping it, so that this process is no hindrance. */
async function discard(response: Promise<Response>): Promise<void> {
  for await (const _ of (await response).body ?? []) continue
}

const sendBigReply = ({ sendRaw, completionPath }: BusyConsole, run_id: string) =>
  discard(
    sendRaw(
      'POST',
      completionPath,
      { inputs: { query: 'All of it, please.', chars: REPLY_CHARS }, user: 'bench', response_mode: 'blocking' },
      { 'run-id': run_id },
    ),
  )

async function measureReply(busyConsole: BusyConsole): Promise<Figure[][]> {
  // The platform makes the text for the first of them.
  await sendBigReply(busyConsole, crypto.randomUUID())
  const waits = await busyConsole.observe(() => sendBigReply(busyConsole, crypto.randomUUID()))
  return [toFigures('a blocking reply of 30 MB', waits)]
}

async function measureDocument({ send, sendRaw, knowledgePath, observe }: BusyConsole): Promise<Figure[][]> {
  const { id } = await send<{ id: string }>('POST', `${knowledgePath}/datasets`, { name: `Large ${Date.now()}` })
  const text = createParagraphs(createRandom(5), TEXT_BYTES)
  let documentPath = ''
  const created = await observe(async () => {
    const { document } = await send<{ document: { id: string } }>(
      'POST',
      `${knowledgePath}/datasets/${id}/document/create-by-text`,
      { name: 'Large', text, indexing_technique: 'economy', process_rule: { mode: 'automatic' } },
    )
    documentPath = `${knowledgePath}/datasets/${id}/documents/${document.id}`
  })
  const indexed = await observe(() =>
    waitUntil(async () => {
      const { indexing_status } = await send<{ indexing_status: string }>('GET', documentPath)
      if (indexing_status === 'error') throw new Error('The document was not indexed.')
      return indexing_status === 'completed'
    }),
  )
  const opened = await observe(() => discard(sendRaw('GET', `${documentPath}/segments?limit=100`)))
  return [
    toFigures('a document of 5 MB of text', created),
    toFigures('its indexing', indexed),
    toFigures('a page of its segments', opened),
  ]
}

async function measureBatch({ send, sendRaw, observe }: BusyConsole): Promise<Figure[][]> {
  const summary = await observe(async () => {
    await send('GET', '/api/batches?limit=20')
    await send('GET', `/api/batches/${BATCH_ID}/rows?state=succeeded&limit=50`)
  })
  const progress = await observe(async () => {
    await send('POST', `/api/batches/${BATCH_ID}/start`, {})
    for (const end = Date.now() + BATCH_MS; Date.now() < end; await wait(POLL_INTERVAL_MS))
      await send<Batch>('GET', `/api/batches/${BATCH_ID}`)
    await send('POST', `/api/batches/${BATCH_ID}/pause`, {})
  })
  const figures = [
    toFigures('the list and the summary of 100,000 rows', summary),
    toFigures('their progress', progress),
  ]
  for (const format of ['csv', 'xlsx']) {
    const waits = await observe(() => discard(sendRaw('GET', `/api/batches/${BATCH_ID}/export?format=${format}`)))
    figures.push(toFigures(`their export as ${format}`, waits))
  }
  return figures
}

async function measurePage(busyConsole: BusyConsole): Promise<Figure[][]> {
  const { sendRaw, observe } = busyConsole
  const run_id = crypto.randomUUID()
  await sendBigReply(busyConsole, run_id)
  const opened = await observe(async () => {
    await discard(sendRaw('GET', `/api/runs/${run_id}`))
    await discard(sendRaw('GET', `/api/calls/${run_id}`))
  })
  const searched = await observe(async () => {
    for (const q of ['retries', 'left out', 'remark 17'])
      await discard(sendRaw('GET', `/api/runs?limit=50&q=${encodeURIComponent(q)}`))
  })
  return [
    toFigures('a run with a reply of 30 MB is opened', opened),
    toFigures('runs are searched for words of it', searched),
  ]
}

async function measurePurge({ loupe, send, ledger, observe }: BusyConsole): Promise<Figure[][]> {
  const { workspace } = ledger
  // Three of four calls of thirty days are in this workspace.
  const days = (30 * PURGED_CALLS) / (0.75 * CALL_COUNT)
  const before = new Date(Date.now() - (30 - days) * 24 * 3_600_000).toISOString()
  // A table of a busy database is vacuumed too, after a while: it may be during the purge.
  const printed = loupe.output.length
  const purged = await observe(async () => {
    await send('POST', `/api/workspaces/${workspace}/purge`, { before })
    await waitUntil(
      async () =>
        (await send<{ purge_before: string | null }>('GET', `/api/workspaces/${workspace}/retention`)).purge_before ===
        null,
    )
  })
  // Tables are vacuumed while no run is active.
  const hasVacuumed = (table: string) => loupe.output.slice(printed).includes(`"table":"${table}"`)
  const vacuumed = await observe(
    () => waitUntil(() => Promise.resolve(hasVacuumed('calls') && hasVacuumed('frame_chunks'))),
    { hasStream: false },
  )
  for (const line of loupe.output.split('\n')) if (line.includes('vacuumed')) console.error(`  ${line}`)
  return [
    toFigures(`a purge of ${PURGED_CALLS.toLocaleString('en')} calls with frames`, purged),
    toFigures('VACUUM after it', vacuumed),
  ]
}

async function waitUntil(isDone: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + STEP_TIMEOUT_MS; !(await isDone()); await wait(POLL_INTERVAL_MS))
    if (Date.now() > end) throw new Error(`not done in ${STEP_TIMEOUT_MS / 1000} s`)
}

function toFigures(what: string, { longestRequest, longestGap }: ObservedWaits): Figure[] {
  console.error(`  ${what}: ${JSON.stringify({ longestRequest, longestGap })}`)
  const figure = { bench: 'waits', unit: 'ms', goal: `<= ${MAX_WAIT_MS} ms` }
  return [
    { ...figure, what: `longest small request during ${what}`, value: longestRequest },
    ...(longestGap === null ? [] : [{ ...figure, what: `longest gap of a stream during ${what}`, value: longestGap }]),
  ]
}
