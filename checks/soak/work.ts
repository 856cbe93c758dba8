import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { LIVE_PATH, type LiveMessage } from '#contract/live.ts'
import { SETUP_TOKEN } from '../../e2e/loupe.ts'

/** What was asked of the server, and what went wrong. */
export interface Tally {
  streams: number
  frames: number
  /** Streams that the browser left before their end. */
  left: number
  asked: number
  problems: string[]
}

interface Soaked {
  url: string
  cookie: string
  key: string
  rate: number
  tally: Tally
  /** Ends the work. */
  signal: AbortSignal
}

/** Frames of a stream: at ten a second five seconds to a minute. */
const FRAMES = { least: 50, most: 600 }
/** Of how many streams one is left before its end, and one is watched over the page's line. */
const LEAVE = 5
const LINE = 3
/** Milliseconds between two of a reader's requests. */
const READ = 1_000

/** One stream after another until it is told to stop. */
export async function streamOn(soaked: Soaked): Promise<void> {
  for (let turn = 0; !soaked.signal.aborted; turn++) {
    const frames = FRAMES.least + Math.floor(Math.random() * (FRAMES.most - FRAMES.least))
    const way = turn % LINE === 0 ? overLine : overStream
    await way(soaked, frames, Math.random() < 1 / LEAVE ? Math.floor(frames / 2) : Infinity).catch((error: Error) =>
      note(soaked, `a stream: ${error.message}`),
    )
  }
}

/** What people do besides: lists, searches, one run laid open, the charts, and somebody who signs in and out again. */
export async function readOn(soaked: Soaked): Promise<void> {
  const runs: string[] = []
  const deeds: (() => Promise<unknown>)[] = [
    async () => {
      const { data } = (await read(soaked, '/api/runs?limit=50')) as { data: { id: string }[] }
      runs.splice(0, runs.length, ...data.map(({ id }) => id))
    },
    () => read(soaked, '/api/runs?limit=20&q=quick'),
    () => read(soaked, '/api/calls?limit=50'),
    () => read(soaked, '/api/things?kind=conversation&limit=50'),
    async () => runs[0] && read(soaked, `/api/runs/${runs.at(-1)}`),
    async () => runs[0] && read(soaked, `/api/runs/${runs.at(-1)}/frames?limit=500`),
    () => read(soaked, `/api/keys/${soaked.key}/parameters`),
    () => comeAndGo(soaked),
  ]
  for (let turn = 0; !soaked.signal.aborted; turn++) {
    await deeds[turn % deeds.length]?.().catch((error: Error) => note(soaked, error.message))
    await wait(READ, undefined, { signal: soaked.signal }).catch(() => undefined)
  }
}

const headers = ({ cookie }: Soaked) => ({ cookie, 'x-console': '1', 'content-type': 'application/json' })

async function begin(soaked: Soaked, frames: number, more: Record<string, string>, signal?: AbortSignal) {
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
async function overStream(soaked: Soaked, frames: number, until: number): Promise<void> {
  const leaving = new AbortController()
  const response = await begin(soaked, frames, { 'run-id': randomUUID() }, leaving.signal)
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
    soaked.tally.left++
    leaving.abort()
    return
  }
  soaked.tally.frames += seen
  if (seen !== frames + 1) throw new Error(`${seen} frames of ${frames + 1}`)
}

async function overLine(soaked: Soaked, frames: number, until: number): Promise<void> {
  const line = new WebSocket(soaked.url.replace('http', 'ws') + LIVE_PATH, { headers: { cookie: soaked.cookie } })
  try {
    await new Promise((resolve, reject) => line.once('open', resolve).once('error', reject))
    const id = randomUUID()
    await (await begin(soaked, frames, { 'run-id': id, prefer: 'respond-async' })).text()
    let seen = 0
    const end = new Promise<string | null>((resolve, reject) => {
      line.once('close', () => reject(new Error('the line broke')))
      soaked.signal.addEventListener('abort', () => resolve('stopped'), { once: true })
      line.on('message', (data: Buffer) => {
        const told = JSON.parse(data.toString()) as LiveMessage
        if (!('run' in told)) return
        if ('frames' in told) seen += told.frames.length
        if ('end' in told) resolve(told.end.status)
        if (seen >= until) resolve(null)
      })
    })
    line.send(JSON.stringify({ watch: id, after: 0 }))
    const status = await end
    soaked.tally.frames += seen
    if (status === null || status === 'stopped') soaked.tally.left++
    else if (status !== 'succeeded' || seen !== frames + 1)
      throw new Error(`${status}, ${seen} frames of ${frames + 1}`)
  } finally {
    line.removeAllListeners('close')
    line.close()
  }
}

async function read(soaked: Soaked, path: string): Promise<unknown> {
  const response = await fetch(soaked.url + path, { headers: headers(soaked) })
  const text = await response.text()
  soaked.tally.asked++
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 200)}`)
  return JSON.parse(text) as unknown
}

async function comeAndGo(soaked: Soaked): Promise<void> {
  const ask = (method: string, cookie: string, body?: unknown) =>
    fetch(`${soaked.url}/api/session`, {
      method,
      headers: { 'x-console': '1', ...(body ? { 'content-type': 'application/json' } : {}), cookie },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
  const came = await ask('POST', '', { token: SETUP_TOKEN })
  await came.text()
  const went = await ask('DELETE', (came.headers.get('set-cookie') ?? '').split(';')[0] ?? '')
  await went.text()
  soaked.tally.asked += 2
  if (!came.ok || !went.ok) throw new Error(`signing in and out: ${came.status}, ${went.status}`)
}

function note(soaked: Soaked, problem: string): void {
  if (!soaked.signal.aborted) soaked.tally.problems.push(problem)
}
