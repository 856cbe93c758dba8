import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { LIVE_PATH, type LiveMessage } from '#contract/console/liveMessages.ts'
import { readConsoleStream, readTexts } from '../kill/browserClient.ts'
import { type SendRaw, type SendRequest, signIn } from '../kill/consoleClient.ts'

/** Requests to the server, and their errors. */
export interface WorkTally {
  streams: number
  frames: number
  /** Streams that the browser left before their end. */
  leftStreams: number
  requests: number
  problems: string[]
}

interface SoakTarget {
  url: string
  cookie: string
  send: SendRequest
  sendRaw: SendRaw
  key: string
  rate: number
  tally: WorkTally
  /** Ends the work. */
  signal: AbortSignal
}

/** Frames of a stream: at ten a second five seconds to a minute. */
const FRAMES_PER_STREAM = { min: 50, max: 600 }
/** Of how many streams one is left before its end, and one is watched over the page's line. */
const STREAMS_PER_EARLY_LEAVE = 5
const STREAMS_PER_SOCKET = 3
/** Milliseconds between two requests of a reader. */
const READ_INTERVAL_MS = 1_000

/** One stream after another until it is told to stop. */
export async function runStreams(target: SoakTarget): Promise<void> {
  for (let turn = 0; !target.signal.aborted; turn++) {
    const frames = FRAMES_PER_STREAM.min + Math.floor(Math.random() * (FRAMES_PER_STREAM.max - FRAMES_PER_STREAM.min))
    const until = Math.random() < 1 / STREAMS_PER_EARLY_LEAVE ? Math.floor(frames / 2) : Infinity
    const readStream = turn % STREAMS_PER_SOCKET === 0 ? readOverSocket : readOverEventStream
    await readStream(target, frames, until).catch((error: Error) => addProblem(target, `a stream: ${error.message}`))
  }
}

/** What people do besides: lists, searches, one run laid open, the charts, and somebody who signs in and out again. */
export async function runReads(target: SoakTarget): Promise<void> {
  let runs: string[] = []
  const read = async <T>(path: string) => {
    target.tally.requests++
    return target.send<T>('GET', path)
  }
  const actions: (() => Promise<unknown>)[] = [
    async () => {
      const { data } = await read<{ data: { id: string }[] }>('/api/runs?limit=50')
      runs = data.map(({ id }) => id)
    },
    () => read('/api/runs?limit=20&q=quick'),
    () => read('/api/calls?limit=50'),
    () => read('/api/resources?kind=conversation&limit=50'),
    async () => runs[0] && read(`/api/runs/${runs.at(-1)}`),
    async () => runs[0] && read(`/api/runs/${runs.at(-1)}/frames?limit=500`),
    () => read(`/api/keys/${target.key}/parameters`),
    async () => {
      const { send } = await signIn(target)
      await send('DELETE', '/api/session')
      target.tally.requests += 2
    },
  ]
  for (let turn = 0; !target.signal.aborted; turn++) {
    await actions[turn % actions.length]?.().catch((error: Error) => addProblem(target, error.message))
    await wait(READ_INTERVAL_MS, undefined, { signal: target.signal }).catch(() => undefined)
  }
}

async function startRun(target: SoakTarget, frames: number, headers: Record<string, string>): Promise<Response> {
  const body = {
    query: `what jumps over a dog ${randomUUID()}`,
    user: `soaker ${Math.floor(Math.random() * 50)}`,
    inputs: { n: String(frames), rate: String(target.rate) },
    response_mode: 'streaming',
    conversation_id: randomUUID(),
  }
  const response = await target.sendRaw('POST', `/api/keys/${target.key}/chat-messages`, body, headers)
  target.tally.streams++
  return response
}

/** Frames are numbered from 1; the platform sends so many and one at their end. */
async function readOverEventStream(target: SoakTarget, frames: number, until: number): Promise<void> {
  const response = await startRun(target, frames, { 'run-id': randomUUID() })
  let seen = 0
  let isLeft = false
  const readUntilLeft = async function* () {
    for await (const text of readTexts(response)) {
      yield text
      isLeft = seen >= until || target.signal.aborted
      // Leaving the loop closes the connection.
      if (isLeft) return
    }
  }
  await readConsoleStream(readUntilLeft(), {
    frame: (seq) => {
      if (seq !== ++seen) throw new Error(`frame ${seq} came as number ${seen}`)
    },
  })
  target.tally.frames += seen
  if (isLeft) target.tally.leftStreams++
  else if (seen !== frames + 1) throw new Error(`${seen} frames of ${frames + 1}`)
}

async function readOverSocket(target: SoakTarget, frames: number, until: number): Promise<void> {
  const socket = new WebSocket(target.url.replace('http', 'ws') + LIVE_PATH, { headers: { cookie: target.cookie } })
  try {
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
    const id = randomUUID()
    await (await startRun(target, frames, { 'run-id': id, prefer: 'respond-async' })).text()
    let seen = 0
    /** The status of the run, or null where it was left. */
    const end = new Promise<string | null>((resolve, reject) => {
      socket.once('close', () => reject(new Error('the line broke')))
      target.signal.addEventListener('abort', () => resolve(null), { once: true })
      socket.on('message', (data: Buffer) => {
        const liveMessage = JSON.parse(data.toString()) as LiveMessage
        if (!('run' in liveMessage)) return
        if ('frames' in liveMessage) seen += liveMessage.frames.length
        if ('end' in liveMessage) resolve(liveMessage.end.status)
        if (seen >= until) resolve(null)
      })
    })
    socket.send(JSON.stringify({ watch: id, after: 0 }))
    const status = await end
    target.tally.frames += seen
    if (status === null) target.tally.leftStreams++
    else if (status !== 'succeeded' || seen !== frames + 1)
      throw new Error(`${status}, ${seen} frames of ${frames + 1}`)
  } finally {
    socket.removeAllListeners('close')
    socket.close()
  }
}

function addProblem({ signal, tally }: SoakTarget, problem: string): void {
  if (!signal.aborted) tally.problems.push(problem)
}
