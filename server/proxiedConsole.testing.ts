import { vi } from 'vitest'
import { createAnswerIds, openStream, toMessageBlock, toMessageEndBlock } from '#support/platforms/scriptedPlatform.ts'
import { PROXY_NAME, type ProxyProgram, ReverseProxy, type SiteChange } from '#support/reverseProxy.ts'
import { TestConsole } from './app.testing.ts'

/** Seconds of silence after which a proxy gives up here; the console's heartbeat, a quarter of the usual limit, is so here too. */
const PROXY_TIMEOUT_S = 3
const TEST_HEARTBEAT_MS = 500
const HEARTBEAT_MS = 15_000

/** How long each of them waits here. */
const SHORT_TIMEOUTS: Record<ProxyProgram, SiteChange> = {
  nginx: [/_(read|send)_timeout \d+s/g, `_$1_timeout ${PROXY_TIMEOUT_S}s`],
  haproxy: [/(timeout (client|server|tunnel)) \d+[hs]/g, `$1 ${PROXY_TIMEOUT_S}s`],
  caddy: ['150s', `${PROXY_TIMEOUT_S}s`],
}
/** A shipped configuration, and what is changed in it. */
export type ProxyCase = [name: string, program: ProxyProgram, ...changes: SiteChange[]]
/** After so many heartbeats a line has said nothing else for longer than a proxy waits. */
export const BEATS_OF_A_SILENCE = Math.ceil((PROXY_TIMEOUT_S * 1000 * 1.5) / TEST_HEARTBEAT_MS)

/** A console whose heartbeat is short, behind proxies with short timeouts. */
export class ProxiedConsole {
  readonly bench: TestConsole
  readonly #proxies: ReverseProxy[] = []
  /** What lets each answer go on, by its question. */
  readonly #gates = new Map<string, () => void>()

  private constructor(bench: TestConsole) {
    this.bench = bench
  }

  static async start(): Promise<ProxiedConsole> {
    const { setInterval } = globalThis
    vi.stubGlobal('setInterval', (work: () => void, time: number) =>
      setInterval(work, time === HEARTBEAT_MS ? TEST_HEARTBEAT_MS : time),
    )
    const settings = { PUBLIC_URL: `https://${PROXY_NAME}`, TRUSTED_PROXY: '127.0.0.1' }
    const proxied = new ProxiedConsole(await TestConsole.start(undefined, settings))
    proxied.bench.platform.script = async ({ body }, response) => {
      const ids = createAnswerIds()
      openStream(response)
      response.write(toMessageBlock(ids, 'First '))
      const { query } = JSON.parse(body) as { query: string }
      await new Promise<void>((resolve) => proxied.#gates.set(query, resolve))
      response.end(toMessageBlock(ids, 'last.') + toMessageEndBlock(ids))
    }
    return proxied
  }

  async startProxy(program: ProxyProgram, changes: readonly SiteChange[]): Promise<ReverseProxy> {
    const consoles = [new URL(this.bench.url).host]
    const proxy = await ReverseProxy.start({ program, consoles, changes: [SHORT_TIMEOUTS[program], ...changes] })
    this.#proxies.push(proxy)
    return proxy
  }

  finishAnswer(query: string): void {
    this.#gates.get(query)?.()
  }

  async stop(): Promise<void> {
    for (const proxy of this.#proxies) proxy.stop()
    await this.bench.remove()
    vi.unstubAllGlobals()
  }
}
