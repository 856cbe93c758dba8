import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Batch } from '#contract/console/batches.ts'
import type { Frame, Run } from '#contract/console/runs.ts'
import {
  createAnswerIds,
  openStream,
  ScriptedPlatform,
  toMessageBlock,
  toMessageEndBlock,
} from '#support/platforms/scriptedPlatform.ts'
import { PROXY_NAME, type ProxyProgram, ReverseProxy } from '#support/reverseProxy.ts'
import { SETUP_TOKEN } from '#support/loupeProcess.ts'
import type { Postgresql } from '../../server/db/postgresql.testing.ts'
import { readConsoleStream } from './browserClient.ts'
import { addAppKeys, type SendRequest } from './consoleClient.ts'
import { answerBatchRow, countSentRows, createBatch, findRowProblems, listRows, waitForEnd } from './killBatch.ts'
import { PageClient } from './pageClient.ts'
import { ServerGroup } from './serverGroup.ts'

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
  batch: Batch['counts']
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
const FRAMES_PAGE = 5_000
const ROW_MS = 1_000

/** Has three servers behind a balancer read streams for scripts and a page, and work on a batch, while something happens to them. */
export async function killCluster(options: ClusterOptions): Promise<ClusterResult> {
  const platform = await ScriptedPlatform.start()
  platform.script = ({ method, body }, response) => {
    if (method === 'GET') return void response.writeHead(404, { 'content-type': 'application/json' }).end('{}')
    if (body.includes('"text":"row ')) return void setTimeout(() => void answerBatchRow(response), ROW_MS)
    openStream(response)
    const ids = createAnswerIds()
    const total = options.seconds * options.framesPerSecond
    const { query } = JSON.parse(body) as { query: string }
    let count = 0
    const timer = setInterval(() => {
      if (++count <= total) return void response.write(toMessageBlock(ids, `${query} ${count} 绿茶 `))
      clearInterval(timer)
      response.end(toMessageEndBlock(ids))
    }, 1000 / options.framesPerSecond)
    response.once('close', () => clearInterval(timer))
  }
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
    const send = createSend(proxy, cookie)
    const { chat, completion } = await addAppKeys(send, platform.url)
    const batch = await createBatch(send, completion, options.rows)
    return await new Cluster({ group, proxy, cookie, send, batch, key: chat, options }).run(platform)
  } finally {
    proxy?.stop()
    await group.remove()
    await platform.close()
  }
}

/** Calls the console through the proxy as a script does. @throws Error if it refuses. */
const createSend =
  (proxy: ReverseProxy, cookie: string): SendRequest =>
  async <T>(method: string, path: string, body?: unknown) => {
    const response = await proxy.send(method, path, { cookie }, body)
    let text = ''
    for await (const part of response as AsyncIterable<string>) text += part
    if ((response.statusCode ?? 500) >= 400) throw new Error(`${method} ${path}: ${response.statusCode} ${text}`)
    return JSON.parse(text) as T
  }

const toBody = (name: string) => ({ query: name, user: 'cluster', inputs: { name }, response_mode: 'streaming' })

interface ShownRun {
  id: string
  name: string
  frames: Map<number, string>
  end: Run['status'] | null
}

interface ClusterDeps {
  group: ServerGroup
  proxy: ReverseProxy
  cookie: string
  send: SendRequest
  batch: string
  /** Of the chat app that the runs ask. */
  key: string
  options: ClusterOptions
}

class Cluster {
  readonly #deps: ClusterDeps
  readonly #runs: ShownRun[] = []
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
    reopened: 0,
    batch: { waiting: 0, running: 0, succeeded: 0, failed: 0, stopped: 0, unknown: 0 },
    problems: [],
  }
  #isOver = false

  constructor(deps: ClusterDeps) {
    this.#deps = deps
  }

  async run(platform: ScriptedPlatform): Promise<ClusterResult> {
    const { streams, seconds, steadyMs } = this.#deps.options
    const page = new PageClient(this.#deps.proxy, this.#deps.cookie, (status) => this.#count(status, 'WebSocket'))
    const slots = Array.from({ length: streams }, async (_, slot) => {
      // So that their ends are spread over time.
      await wait((slot / streams) * Math.min(seconds * 1000, steadyMs))
      for (let round = 0; !this.#isOver; round++)
        if (slot % 2 === 0) await this.#followRun(`${slot}.${round}`)
        else await this.#watchRun(`${slot}.${round}`, page)
    })
    const sessions = Array.from({ length: SESSION_COUNT }, () => this.#ask())
    await wait(steadyMs)
    await this.#inject()
    await wait(steadyMs)
    this.#isOver = true
    await Promise.all([...slots, ...sessions])
    page.close()
    this.#result.reopened = page.reopened
    await this.#inspect(platform)
    await this.#inspectBatch(platform)
    return this.#result
  }

  async #inject(): Promise<void> {
    const { fault, faultyServers = SERVER_COUNT, postgresql, steadyMs } = this.#deps.options
    if (fault === 'database') {
      await postgresql.crash()
      postgresql.restart()
    } else if (fault === 'pause') {
      this.#deps.group.signal(0, 'SIGSTOP')
      await wait(PAUSE_MS)
      this.#deps.group.signal(0, 'SIGCONT')
    } else
      for (let server = 0; server < faultyServers; server++) {
        if (fault === 'kill') await this.#deps.group.kill(server)
        else await this.#deps.group.stop(server)
        await this.#deps.group.startServer(server)
        await wait(steadyMs)
      }
  }

  async #send(method: string, path: string, headers: Record<string, string> = {}, body?: unknown) {
    const cookie = this.#deps.cookie
    const response = await this.#deps.proxy.send(method, path, { cookie, ...headers }, body).catch(() => null)
    if (!response) {
      this.#result.unanswered++
      return null
    }
    this.#count(response.statusCode ?? 0, `${method} ${path.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ':id')}`)
    return response
  }

  #count(status: number, request: string): void {
    if (status < 500) return
    const place = `${status} ${request}`
    this.#result.serverErrors[place] = (this.#result.serverErrors[place] ?? 0) + 1
  }

  #beginRun(name: string): ShownRun {
    const run: ShownRun = { id: randomUUID(), name, frames: new Map(), end: null }
    this.#runs.push(run)
    return run
  }

  /** A run as a page follows it: posted until it is confirmed, and watched over the page's WebSocket. */
  async #watchRun(name: string, page: PageClient): Promise<void> {
    const run = this.#beginRun(name)
    const path = `/api/keys/${this.#deps.key}/chat-messages`
    const headers = { 'run-id': run.id, prefer: 'respond-async' }
    for (;;) {
      const response = await this.#send('POST', path, headers, toBody(name))
      response?.resume()
      if (response?.statusCode === 202) break
      await wait(RETRY_DELAY_MS)
    }
    const ended = Promise.withResolvers<void>()
    page.watch({
      id: run.id,
      get last() {
        return run.frames.size
      },
      frame: (seq, block) => {
        if (seq !== run.frames.size + 1)
          this.#result.problems.push(`run ${name}: frame ${seq} after ${run.frames.size}, over the WebSocket`)
        run.frames.set(seq, block)
        this.#result.shownFrames++
      },
      silent: (isSilent) => (this.#result.silences += Number(isSilent)),
      end: (status) => {
        run.end = status
        ended.resolve()
      },
    })
    const { seconds } = this.#deps.options
    await Promise.race([ended.promise, wait(seconds * 1000 + RUN_TIMEOUT_MS, undefined, { ref: false })])
    if (!run.end) this.#result.problems.push(`run ${name} was never shown its end, over the WebSocket`)
  }

  /** A run as a script follows it: posted under its id, and taken up again after the last frame until its end is shown. */
  async #followRun(name: string): Promise<void> {
    const run = this.#beginRun(name)
    const until = performance.now() + this.#deps.options.seconds * 1000 + RUN_TIMEOUT_MS
    let isThere = false
    for (let attempt = 0; !run.end && performance.now() < until; attempt++) {
      if (attempt > 0) await wait(RETRY_DELAY_MS)
      const headers = { 'run-id': run.id, 'last-event-id': String(run.frames.size) }
      const response = isThere
        ? await this.#send('GET', `/api/runs/${run.id}/events`, headers)
        : await this.#send('POST', `/api/keys/${this.#deps.key}/chat-messages`, headers, toBody(name))
      if (response?.statusCode !== 200) {
        response?.resume()
        continue
      }
      if (isThere) this.#result.resumed++
      isThere = true
      await this.#show(run, response).catch(() => undefined)
    }
    if (!run.end) this.#result.problems.push(`run ${name} was never shown its end`)
  }

  /** Each POST of a run that is there begins with its first frame again. */
  async #show(run: ShownRun, response: AsyncIterable<string>): Promise<void> {
    let last = 0
    await readConsoleStream(response, {
      frame: (seq, block) => {
        if (last > 0 && seq !== last + 1) this.#result.problems.push(`run ${run.name}: frame ${seq} after ${last}`)
        last = seq
        const shown = run.frames.get(seq)
        if (shown !== undefined && shown !== block)
          this.#result.problems.push(`run ${run.name}: frame ${seq} was shown as two`)
        run.frames.set(seq, block)
        this.#result.shownFrames++
      },
      end: (status) => (run.end = status),
      comment: (text) => {
        if (text === ': server not responding') this.#result.silences++
      },
    })
  }

  /** A page that asks all the time. */
  async #ask(): Promise<void> {
    for (let turn = 0; !this.#isOver; turn++) {
      const startedAt = performance.now()
      const response = await this.#send('GET', turn % 2 === 0 ? '/api/session' : '/api/runs?limit=5')
      if (response) for await (const _part of response as AsyncIterable<unknown>);
      const ms = Math.round(performance.now() - startedAt)
      this.#result.requests++
      if (ms > SLOW_MS) this.#result.slowRequests++
      this.#result.slowest_ms = Math.max(this.#result.slowest_ms, ms)
      if (response && response.statusCode === 401) this.#result.problems.push('a session was lost')
      await wait(REQUEST_INTERVAL_MS)
    }
  }

  /** No row was sent twice; only those of a process that was killed are unknown. */
  async #inspectBatch(platform: ScriptedPlatform): Promise<void> {
    const { send, batch, options } = this.#deps
    const { counts, state } = await waitForEnd(send, batch)
    this.#result.batch = counts
    if (state !== 'ended') this.#result.problems.push(`the batch is ${state}`)
    this.#result.problems.push(...findRowProblems(await listRows(send, batch), countSentRows(platform)))
    if (options.fault !== 'kill' && counts.unknown > 0)
      this.#result.problems.push(`${counts.unknown} rows are unknown, although no server was killed`)
  }

  /** What was shown must be what is stored, each frame once; each run was sent once, and has the end that was shown. */
  async #inspect(platform: ScriptedPlatform): Promise<void> {
    const { fault } = this.#deps.options
    const sentCounts = new Map<string, number>()
    for (const { method, body } of platform.requests) {
      if (method !== 'POST') continue
      const { query } = JSON.parse(body) as { query: string }
      sentCounts.set(query, (sentCounts.get(query) ?? 0) + 1)
    }
    for (const { id, name, frames, end } of this.#runs) {
      this.#result.ends[end ?? 'none'] = (this.#result.ends[end ?? 'none'] ?? 0) + 1
      const stored = await this.#deps.send<Run>('GET', `/api/runs/${id}`)
      const blocks: Frame[] = []
      for (let page: Frame[] = []; ;) {
        const after = blocks.at(-1)?.seq ?? 0
        page = (
          await this.#deps.send<{ data: Frame[] }>('GET', `/api/runs/${id}/frames?limit=${FRAMES_PAGE}&after=${after}`)
        ).data
        blocks.push(...page)
        if (page.length < FRAMES_PAGE) break
      }
      const lost = [...frames].filter(([seq, block]) => blocks[seq - 1]?.block.trim() !== block.trim()).length
      const problems = [
        // Its server may have been killed before it sent it.
        ...(sentCounts.get(name) === 1 || (!sentCounts.has(name) && end === 'interrupted' && fault === 'kill')
          ? []
          : [`was sent ${sentCounts.get(name) ?? 0} times`]),
        ...(lost > 0 ? [`${lost} frames that were shown are not stored`] : []),
        ...(blocks.length === frames.size ? [] : [`has ${blocks.length} frames, and ${frames.size} were shown`]),
        ...(end === stored.status ? [] : [`was shown as ${end} and is ${stored.status}`]),
        // Only a process that is killed takes its runs with it.
        ...(end === 'succeeded' || (end === 'interrupted' && fault === 'kill') ? [] : [`ended as ${end}`]),
      ]
      this.#result.problems.push(...problems.map((problem) => `run ${name} (${id}): ${problem}`))
    }
    if (fault !== 'kill' && fault !== 'restart') return
    for (const [place, count] of Object.entries(this.#result.serverErrors))
      this.#result.problems.push(`${count} answers ${place}`)
  }
}
