import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { LIVE_PATH, type LiveMessage } from '#contract/console/liveMessages.ts'
import { SETUP_TOKEN } from '#support/loupeProcess.ts'

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
export async function runStreams(soaked: SoakTarget): Promise<void> {
  for (let turn = 0; !soaked.signal.aborted; turn++) {
    const frames = FRAMES_PER_STREAM.min + Math.floor(Math.random() * (FRAMES_PER_STREAM.max - FRAMES_PER_STREAM.min))
    const readStream = turn % STREAMS_PER_SOCKET === 0 ? readOverSocket : readOverEventStream
    await readStream(
      soaked,
      frames,
      Math.random() < 1 / STREAMS_PER_EARLY_LEAVE ? Math.floor(frames / 2) : Infinity,
    ).catch((error: Error) => addProblem(soaked, `a stream: ${error.message}`))
  }
}

/** What people do besides: lists, searches, one run laid open, the charts, and somebody who signs in and out again. */
export async function runReads(soaked: SoakTarget): Promise<void> {
  const runs: string[] = []
  const readActions: (() => Promise<unknown>)[] = [
    async () => {
      const { data } = (await readPath(soaked, '/api/runs?limit=50')) as { data: { id: string }[] }
      runs.splice(0, runs.length, ...data.map(({ id }) => id))
    },
    () => readPath(soaked, '/api/runs?limit=20&q=quick'),
    () => readPath(soaked, '/api/calls?limit=50'),
    () => readPath(soaked, '/api/resources?kind=conversation&limit=50'),
    async () => runs[0] && readPath(soaked, `/api/runs/${runs.at(-1)}`),
    async () => runs[0] && readPath(soaked, `/api/runs/${runs.at(-1)}/frames?limit=500`),
    () => readPath(soaked, `/api/keys/${soaked.key}/parameters`),
    () => signInAndOut(soaked),
  ]
  for (let turn = 0; !soaked.signal.aborted; turn++) {
    await readActions[turn % readActions.length]?.().catch((error: Error) => addProblem(soaked, error.message))
    await wait(READ_INTERVAL_MS, undefined, { signal: soaked.signal }).catch(() => undefined)
  }
}

const headers = ({ cookie }: SoakTarget) => ({ cookie, 'x-console': '1', 'content-type': 'application/json' })

async function startRun(soaked: SoakTarget, frames: number, more: Record<string, string>, signal?: AbortSignal) {
  const response = await fetch(`${soaked.url}/api/keys/${soaked.key}/chat-messages`, {
    method: 'POST',
    headers: { ...headers(soaked), ...more },
    body: JSON.stringify({
      query: `what jumps over a dog ${randomUUID()}`,
      user: `soaker ${Math.floor(Math.random() * 50)}`,
      inputs: { n: String(frames), rate: String(soaked.rate) },
      response_mode: 'streaming',
      conversation_id: randomUUID(),
    }),
    ...(signal ? { signal } : {}),
  })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  soaked.tally.streams++
  return response
}

/** Frames are numbered from 1; the platform sends so many and one at their end. */
async function readOverEventStream(soaked: SoakTarget, frames: number, until: number): Promise<void> {
  const leaving = new AbortController()
  const response = await startRun(soaked, frames, { 'run-id': randomUUID() }, leaving.signal)
  let seen = 0
  let rest = ''
  for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const blocks = (rest + part).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const id = /\nid: (\d+)$/.exec(block)?.[1]
      if (id && Number(id) !== ++seen) throw new Error(`frame ${id} came as number ${seen}`)
    }
    if (seen < until && !soaked.signal.aborted) continue
    soaked.tally.frames += seen
    soaked.tally.leftStreams++
    leaving.abort()
    return
  }
  soaked.tally.frames += seen
  if (seen !== frames + 1) throw new Error(`${seen} frames of ${frames + 1}`)
}

async function readOverSocket(soaked: SoakTarget, frames: number, until: number): Promise<void> {
  const socket = new WebSocket(soaked.url.replace('http', 'ws') + LIVE_PATH, { headers: { cookie: soaked.cookie } })
  try {
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
    const id = randomUUID()
    await (await startRun(soaked, frames, { 'run-id': id, prefer: 'respond-async' })).text()
    let seen = 0
    const end = new Promise<string | null>((resolve, reject) => {
      socket.once('close', () => reject(new Error('the line broke')))
      soaked.signal.addEventListener('abort', () => resolve('stopped'), { once: true })
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
    soaked.tally.frames += seen
    if (status === null || status === 'stopped') soaked.tally.leftStreams++
    else if (status !== 'succeeded' || seen !== frames + 1)
      throw new Error(`${status}, ${seen} frames of ${frames + 1}`)
  } finally {
    socket.removeAllListeners('close')
    socket.close()
  }
}

async function readPath(soaked: SoakTarget, path: string): Promise<unknown> {
  const response = await fetch(soaked.url + path, { headers: headers(soaked) })
  const text = await response.text()
  soaked.tally.requests++
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 200)}`)
  return JSON.parse(text) as unknown
}

async function signInAndOut(soaked: SoakTarget): Promise<void> {
  const ask = (method: string, cookie: string, body?: unknown) =>
    fetch(`${soaked.url}/api/session`, {
      method,
      headers: { 'x-console': '1', ...(body ? { 'content-type': 'application/json' } : {}), cookie },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
  const signInReply = await ask('POST', '', { token: SETUP_TOKEN })
  await signInReply.text()
  const went = await ask('DELETE', (signInReply.headers.get('set-cookie') ?? '').split(';')[0] ?? '')
  await went.text()
  soaked.tally.requests += 2
  if (!signInReply.ok || !went.ok) throw new Error(`signing in and out: ${signInReply.status}, ${went.status}`)
}

function addProblem(soaked: SoakTarget, problem: string): void {
  if (!soaked.signal.aborted) soaked.tally.problems.push(problem)
}
