import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { LoupeProcess } from '#support/loupeProcess.ts'
import { createSender, type SendRaw, type SendRequest, signIn } from './consoleClient.ts'

const REQUEST_TIMEOUT_MS = 30_000

/** An hour later than it is, for all that a process does. */
const FAST_CLOCK_IMPORT = `data:text/javascript,${encodeURIComponent(
  'const real=Date.now,D=Date;Date.now=()=>real()+36e5;' +
    'globalThis.Date=class extends D{constructor(...a){a.length?super(...a):super(Date.now())}};',
)}`

/** Several Loupes on one PostgreSQL, as behind a balancer that asks only those that are up. The last one's clock is an hour ahead. */
export class ServerGroup {
  readonly #servers: readonly LoupeProcess[]
  readonly #runningServers = new Set<number>()
  #nextServer = 0
  #cookie = ''

  private constructor(servers: readonly LoupeProcess[]) {
    this.#servers = servers
  }

  static async start(count: number, env: Record<string, string>): Promise<ServerGroup> {
    const group = await ServerGroup.startServers(count, env)
    group.#cookie = (await signIn({ url: group.url() })).cookie
    return group
  }

  /** Nobody is signed in yet. */
  static async startServers(count: number, env: Record<string, string>): Promise<ServerGroup> {
    const shared = { ...env, MASTER_KEY: randomBytes(32).toString('hex') }
    const late = { NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import ${FAST_CLOCK_IMPORT}` }
    const servers = Array.from(
      { length: count },
      (_, index) => new LoupeProcess({ ...shared, ...(index === count - 1 ? late : {}) }),
    )
    const group = new ServerGroup(servers)
    await Promise.all(servers.map((_, index) => group.startServer(index)))
    return group
  }

  async startServer(index: number): Promise<void> {
    await this.#servers[index]?.start()
    this.#runningServers.add(index)
  }

  async kill(index: number): Promise<void> {
    this.#runningServers.delete(index)
    await this.#servers[index]?.kill()
  }

  /** SIGTERM; resolves when the process has ended. Until then it answers. */
  async stop(index: number): Promise<void> {
    await this.#servers[index]?.stop()
    this.#runningServers.delete(index)
  }

  signal(index: number, signal: NodeJS.Signals): void {
    process.kill(this.#servers[index]?.pid ?? 0, signal)
  }

  /** `host:port` of each server. */
  get addresses(): string[] {
    return this.#servers.map(({ url }) => new URL(url).host)
  }

  async remove(): Promise<void> {
    await Promise.all(this.#servers.map((loupe) => loupe.remove()))
  }

  /** The next server that is up; another one than `not` where there is one. */
  url(not?: string): string {
    const up = [...this.#runningServers].map((index) => this.#servers[index]?.url ?? '')
    const others = up.filter((url) => url !== not)
    const among = others.length > 0 ? others : up
    return among[this.#nextServer++ % among.length] ?? ''
  }

  /** Asks one server after another until one answers. */
  readonly send: SendRequest = async <T>(method: string, path: string, body?: unknown) => {
    const until = Date.now() + REQUEST_TIMEOUT_MS
    for (;;) {
      const response = await this.fetch(this.url(), method, path, body).catch(() => null)
      const text = await response?.text().catch(() => null)
      if (response?.ok && typeof text === 'string') return JSON.parse(text) as T
      if ((response && response.status < 500) || Date.now() > until)
        throw new Error(`${method} ${path}: ${response?.status} ${text}`)
      await wait(50)
    }
  }

  fetch(url: string, ...sent: Parameters<SendRaw>): Promise<Response> {
    return createSender(url, { cookie: this.#cookie, 'x-console': '1' }).request(...sent)
  }
}
