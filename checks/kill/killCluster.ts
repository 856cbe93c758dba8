import { setTimeout as wait } from 'node:timers/promises'
import { WebSocket } from 'ws'
import type { Batch } from '#contract/console/batches.ts'
import { LIVE_PATH, type LiveMessage } from '#contract/console/liveMessages.ts'
import type { Run } from '#contract/console/runs.ts'
import { SETUP_TOKEN } from '#support/loupeProcess.ts'
import {
  createAnswerIds,
  openStream,
  type PlatformScript,
  ScriptedPlatform,
  toMessageBlock,
  toMessageEndBlock,
} from '#support/platforms/scriptedPlatform.ts'
import { PROXY_NAME, type ProxyProgram, ReverseProxy } from '#support/reverseProxy.ts'
import type { Postgresql } from '../../server/db/postgresql.testing.ts'
import { createRequestedRun, readConsoleStream, type RequestedRun, toRunBody } from './browserClient.ts'
import { addAppKeys, type SendRequest } from './consoleClient.ts'
import { answerBatchRow, countSentRows, createBatch, findRowProblems, listRows, waitForEnd } from './killBatch.ts'
import { findLostFrames } from './killStreams.ts'
import { ServerGroup } from './serverGroup.ts'
import { countRequests } from './streamingPlatform.ts'

/**
 * `kill`: `kill -9` of each server in turn. `restart`: SIGTERM of each in turn, the next when the one before is ready again.
 * `pause`: one is paused for `PAUSE_MS`. `database`: PostgreSQL is crashed and started again.
 */
export const CLUSTER_FAULTS = ['kill', 'restart', 'pause', 'database'] as const
export type ClusterFault = (typeof CLUSTER_FAULTS)[number]

export interface ClusterOptions {
  balancer: ProxyProgram
  fault: ClusterFault
  /** How many of the three servers are killed or restarted, in turn; all by default. */
  faultyServers?: number
  /** Streams that are open at any time, and how each of them goes. */
  streams: number
  seconds: number
  framesPerSecond: number
  /** Rows of the batch beside them. */
  rows: number
  /** Milliseconds before the first fault, between two of them, and after the last. */
  steadyMs: number
  /** `DRAIN_SECONDS` and `STOP_TIMEOUT_SECONDS` of the servers. */
  drainSeconds: number
  stopTimeoutSeconds: number
  postgresql: Pick<Postgresql, 'url' | 'crash' | 'restart'>
}

export interface ClusterResult {
  /** Runs by how they ended. */
  ends: Record<string, number>
  shownFrames: number
  /** Streams that were taken up again on another connection. */
  resumed: number
  /** Requests beside the streams, those that took longer than `SLOW_MS`, and the longest of them in ms. */
  requests: number
  slowRequests: number
  slowest_ms: number
  /** Answers of 5xx, by path without ids. */
  serverErrors: Record<string, number>
  /** Requests that got no answer, such as those on a connection that was reset. */
  unanswered: number
  /** Streams to which a server was said to be silent. */
  silences: number
  /** WebSockets that a page opened after one had closed. */
  reopened: number
  batch: Batch['counts'] | null
  problems: string[]
}

const SERVER_COUNT = 3
const SESSION_COUNT = 5
const REQUEST_INTERVAL_MS = 200
const SLOW_MS = 2_000
const PAUSE_MS = 20_000
/** How long a run may take beyond its own time. */
const RUN_TIMEOUT_MS = 120_000
const RETRY_DELAY_MS = 100
const ROW_MS = 1_000

/** Has three servers behind a balancer read streams for scripts and a page, and work on a batch, while something happens to them. */
export async function killCluster(options: ClusterOptions): Promise<ClusterResult> {
  const platform = await ScriptedPlatform.start()
  platform.script = createScript(options)
  const group = await ServerGroup.startServers(SERVER_COUNT, {
    PLATFORM: 'off',
    DATABASE_URL: options.postgresql.url,
    PUBLIC_URL: `https://${PROXY_NAME}`,
    TRUSTED_PROXY: '127.0.0.1',
    DRAIN_SECONDS: String(options.drainSeconds),
    STOP_TIMEOUT_SECONDS: String(options.stopTimeoutSeconds),
  })
  let proxy: ReverseProxy | null = null
  try {
    proxy = await ReverseProxy.start({ program: options.balancer, consoles: group.addresses })
    const session = await proxy.send('POST', '/api/session', {}, { token: SETUP_TOKEN })
    const cookie = (session.resume().headers['set-cookie']?.[0] ?? '').split(';')[0] ?? ''
    return await new Cluster(group, proxy, cookie, options).run(platform)
  } finally {
    proxy?.stop()
    await group.remove()
    await platform.close()
  }
}

const createScript =
  ({ seconds, framesPerSecond }: ClusterOptions): PlatformScript =>
  ({ method, body }, response) => {
    if (method === 'GET') return void response.writeHead(404, { 'content-type': 'application/json' }).end('{}')
    if (body.includes('"text":"row ')) return void setTimeout(() => void answerBatchRow(response), ROW_MS)
    openStream(response)
    const ids = createAnswerIds()
    const { query } = JSON.parse(body) as { query: string }
    let count = 0
    const timer = setInterval(() => {
      if (++count <= seconds * framesPerSecond)
        return void response.write(toMessageBlock(ids, `${query} ${count} 绿茶 `))
      clearInterval(timer)
      response.end(toMessageEndBlock(ids))
    }, 1000 / framesPerSecond)
    response.once('close', () => clearInterval(timer))
  }

class Cluster {
  readonly #group: ServerGroup
  readonly #proxy: ReverseProxy
  readonly #cookie: string
  readonly #options: ClusterOptions
  readonly #runs: RequestedRun[] = []
  readonly #result: ClusterResult = {
    ends: {},
    shownFrames: 0,
    resumed: 0,
    requests: 0,
    slowRequests: 0,
    slowest_ms: 0,
    serverErrors: {},
    unanswered: 0,
    silences: 0,
    reopened: -1,
    batch: null,
    problems: [],
  }
  /** The page: it watches its runs over one WebSocket, and opens another one when that closes. */
  #socket: WebSocket | null = null
  readonly #watched = new Map<string, { run: RequestedRun; onEnd: () => void }>()
  #chatPath = ''
  #isOver = false

  constructor(group: ServerGroup, proxy: ReverseProxy, cookie: string, options: ClusterOptions) {
    this.#group = group
    this.#proxy = proxy
    this.#cookie = cookie
    this.#options = options
  }

  async run(platform: ScriptedPlatform): Promise<ClusterResult> {
    const { streams, seconds, steadyMs, rows } = this.#options
    const { chat, completion } = await addAppKeys(this.#call, platform.url)
    this.#chatPath = `/api/keys/${chat}/chat-messages`
    const batch = await createBatch(this.#call, completion, rows)
    this.#openSocket()
    const slots = Array.from({ length: streams }, async (_, slot) => {
      // So that their ends are spread over time.
      await wait((slot / streams) * Math.min(seconds * 1000, steadyMs))
      for (let round = 0; !this.#isOver; round++)
        if (slot % 2 === 0) await this.#followRun(`${slot}.${round}`)
        else await this.#watchRun(`${slot}.${round}`)
    })
    const sessions = Array.from({ length: SESSION_COUNT }, () => this.#askAllTheTime())
    await wait(steadyMs)
    await this.#inject()
    await wait(steadyMs)
    this.#isOver = true
    await Promise.all([...slots, ...sessions])
    this.#socket?.terminate()
    await this.#inspectRuns(platform)
    await this.#inspectBatch(platform, batch)
    return this.#result
  }

  async #inject(): Promise<void> {
    const { fault, faultyServers = SERVER_COUNT, postgresql, steadyMs } = this.#options
    if (fault === 'database') {
      await postgresql.crash()
      postgresql.restart()
    } else if (fault === 'pause') {
      this.#group.signal(0, 'SIGSTOP')
      await wait(PAUSE_MS)
      this.#group.signal(0, 'SIGCONT')
    } else
      for (let server = 0; server < faultyServers; server++) {
        if (fault === 'kill') await this.#group.kill(server)
        else await this.#group.stop(server)
        await this.#group.startServer(server)
        await wait(steadyMs)
      }
  }

  /** Calls the console through the proxy as a script does. @throws Error if it refuses. */
  readonly #call: SendRequest = async <T>(method: string, path: string, body?: unknown) => {
    const response = await this.#proxy.send(method, path, { cookie: this.#cookie }, body)
    let text = ''
    for await (const part of response as AsyncIterable<string>) text += part
    if ((response.statusCode ?? 500) >= 400) throw new Error(`${method} ${path}: ${response.statusCode} ${text}`)
    return JSON.parse(text) as T
  }

  /** The same for what may fail meanwhile; its failures are counted. */
  async #send(method: string, path: string, headers: Record<string, string> = {}, body?: unknown) {
    const sent = { cookie: this.#cookie, ...headers }
    const response = await this.#proxy.send(method, path, sent, body).catch(() => null)
    if (!response) this.#result.unanswered++
    else this.#countError(response.statusCode ?? 0, `${method} ${path.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ':id')}`)
    return response
  }

  #countError(status: number, request: string): void {
    const place = `${status} ${request}`
    if (status >= 500) this.#result.serverErrors[place] = (this.#result.serverErrors[place] ?? 0) + 1
  }

  #addProblem({ name, id }: RequestedRun, problem: string): void {
    this.#result.problems.push(`run ${name} (${id}): ${problem}`)
  }

  #beginRun(name: string): RequestedRun {
    const run = createRequestedRun(name)
    this.#runs.push(run)
    return run
  }

  #showFrame(run: RequestedRun, seq: number, block: string, last: number): void {
    if (last > 0 && seq !== last + 1) this.#addProblem(run, `frame ${seq} after ${last}`)
    if ((run.shownFrames.get(seq) ?? block) !== block) this.#addProblem(run, `frame ${seq} was shown as two`)
    run.shownFrames.set(seq, block)
    this.#result.shownFrames++
  }

  /** A run as a page follows it: posted until it is confirmed, and watched over the page's WebSocket. */
  async #watchRun(name: string): Promise<void> {
    const run = this.#beginRun(name)
    const headers = { 'run-id': run.id, prefer: 'respond-async' }
    for (let status: number | undefined; status !== 202;) {
      const response = await this.#send('POST', this.#chatPath, headers, toRunBody(name))
      status = response?.resume().statusCode
      if (status !== 202) await wait(RETRY_DELAY_MS)
    }
    const ended = Promise.withResolvers<void>()
    this.#watched.set(run.id, { run, onEnd: ended.resolve })
    if (this.#socket?.readyState === WebSocket.OPEN) this.#subscribe(run)
    const timeoutMs = this.#options.seconds * 1000 + RUN_TIMEOUT_MS
    await Promise.race([ended.promise, wait(timeoutMs, undefined, { ref: false })])
    if (!run.end) this.#addProblem(run, 'was never shown its end, over the WebSocket')
  }

  #openSocket(): void {
    const socket = new WebSocket(`wss://127.0.0.1:${this.#proxy.port}${LIVE_PATH}`, {
      ...this.#proxy.tls,
      headers: { host: PROXY_NAME, cookie: this.#cookie, origin: `https://${PROXY_NAME}` },
    })
    this.#socket = socket
    socket.on('open', () => {
      this.#result.reopened++
      for (const { run } of this.#watched.values()) this.#subscribe(run)
    })
    socket.on('unexpected-response', (_request, { statusCode = 0 }) => {
      this.#countError(statusCode, 'WebSocket')
      socket.terminate()
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      if (!this.#isOver || this.#watched.size > 0) setTimeout(() => this.#openSocket(), RETRY_DELAY_MS)
    })
    socket.on('message', (data: Buffer) => this.#receive(JSON.parse(data.toString()) as LiveMessage))
  }

  #subscribe({ id, shownFrames }: RequestedRun): void {
    this.#socket?.send(JSON.stringify({ watch: id, after: shownFrames.size }))
  }

  #receive(message: LiveMessage): void {
    const watched = 'run' in message ? this.#watched.get(message.run) : undefined
    if (!watched) return
    const { run, onEnd } = watched
    if ('frames' in message)
      for (const [seq, block] of message.frames) this.#showFrame(run, seq, block, run.shownFrames.size)
    else if ('silent' in message) this.#result.silences += Number(message.silent)
    else if ('left' in message || 'refused' in message) setTimeout(() => this.#subscribe(run), RETRY_DELAY_MS)
    else if ('end' in message) {
      this.#watched.delete(run.id)
      run.end = message.end.status
      onEnd()
    }
  }

  /** A run as a script follows it: posted under its id, and taken up again after the last frame until its end is shown. */
  async #followRun(name: string): Promise<void> {
    const run = this.#beginRun(name)
    const until = performance.now() + this.#options.seconds * 1000 + RUN_TIMEOUT_MS
    for (let attempt = 0; !run.end && performance.now() < until; attempt++) {
      if (attempt > 0) await wait(RETRY_DELAY_MS)
      const headers = { 'run-id': run.id, 'last-event-id': String(run.shownFrames.size) }
      const response = run.isAccepted
        ? await this.#send('GET', `/api/runs/${run.id}/events`, headers)
        : await this.#send('POST', this.#chatPath, headers, toRunBody(name))
      if (response?.statusCode !== 200) {
        response?.resume()
        continue
      }
      if (run.isAccepted) this.#result.resumed++
      run.isAccepted = true
      // Each POST of a run that is there begins with its first frame again.
      let last = 0
      await readConsoleStream(response as AsyncIterable<string>, {
        frame: (seq, block) => {
          this.#showFrame(run, seq, block, last)
          last = seq
        },
        end: (status) => (run.end = status),
        comment: (text) => (this.#result.silences += Number(text === ': server not responding')),
      }).catch(() => undefined)
    }
    if (!run.end) this.#addProblem(run, 'was never shown its end')
  }

  /** A page that asks all the time. */
  async #askAllTheTime(): Promise<void> {
    for (let turn = 0; !this.#isOver; turn++) {
      const startedAt = performance.now()
      const response = await this.#send('GET', turn % 2 === 0 ? '/api/session' : '/api/runs?limit=5')
      if (response) for await (const _part of response as AsyncIterable<unknown>);
      const ms = Math.round(performance.now() - startedAt)
      this.#result.requests++
      if (ms > SLOW_MS) this.#result.slowRequests++
      this.#result.slowest_ms = Math.max(this.#result.slowest_ms, ms)
      if (response?.statusCode === 401) this.#result.problems.push('a session was lost')
      await wait(REQUEST_INTERVAL_MS)
    }
  }

  /** No row was sent twice; only those of a process that was killed are unknown. */
  async #inspectBatch(platform: ScriptedPlatform, batch: string): Promise<void> {
    const { counts, state } = await waitForEnd(this.#call, batch)
    const { problems } = this.#result
    this.#result.batch = counts
    if (state !== 'ended') problems.push(`the batch is ${state}`)
    problems.push(...findRowProblems(await listRows(this.#call, batch), countSentRows(platform)))
    if (this.#options.fault !== 'kill' && counts.unknown > 0)
      problems.push(`${counts.unknown} rows are unknown, although no server was killed`)
  }

  /** What was shown must be what is stored, each frame once; each run was sent once, and has the end that was shown. */
  async #inspectRuns(platform: ScriptedPlatform): Promise<void> {
    const { fault } = this.#options
    const sentCounts = countRequests(platform)
    for (const run of this.#runs) {
      const { id, name, end } = run
      this.#result.ends[end ?? 'none'] = (this.#result.ends[end ?? 'none'] ?? 0) + 1
      const { status } = await this.#call<Run>('GET', `/api/runs/${id}`)
      const times = sentCounts.get(name) ?? 0
      // Only a process that is killed takes its runs with it, and may have been killed before it sent them.
      const isCut = end === 'interrupted' && fault === 'kill'
      if (times !== 1 && !(times === 0 && isCut)) this.#addProblem(run, `was sent ${times} times`)
      if (end !== status) this.#addProblem(run, `was shown as ${end} and is ${status}`)
      if (end !== 'succeeded' && !isCut) this.#addProblem(run, `ended as ${end}`)
      for (const problem of await findLostFrames(this.#call, run, true)) this.#addProblem(run, problem)
    }
    if (fault !== 'kill' && fault !== 'restart') return
    for (const [place, count] of Object.entries(this.#result.serverErrors))
      this.#result.problems.push(`${count} answers ${place}`)
  }
}
