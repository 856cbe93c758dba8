import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createParser } from 'eventsource-parser'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { LIVE_EVENTS_PATH, LIVE_PATH, type LiveMessage } from '#contract/console/liveMessages.ts'
import { toMessageBlock, toMessageEndBlock, createAnswerIds, openStream } from '#support/platforms/scriptedPlatform.ts'
import { requirements, titleWith } from '#support/requirements.ts'
import { PROXY_NAME, type ProxyProgram, ReverseProxy, type SiteChange } from '#support/reverseProxy.ts'
import { TestConsole, readFrames } from './app.testing.ts'

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
type ProxyCase = [name: string, program: ProxyProgram, ...changes: SiteChange[]]
const PROXIES: ProxyCase[] = [
  ['nginx', 'nginx'],
  ['nginx that is told nothing of buffers', 'nginx', [/proxy_(request_)?buffering \w+;/g, '']],
  ['HAProxy', 'haproxy'],
  ['Caddy', 'caddy'],
]
/** The same files with WebSocket upgrades switched off. */
const PROXIES_WITHOUT_UPGRADES: ProxyCase[] = [
  [
    'nginx without upgrades',
    'nginx',
    [/proxy_set_header Upgrade .*/g, ''],
    [/proxy_set_header Connection .*/g, "proxy_set_header Connection '';"],
  ],
  [
    'nginx without upgrades that is told nothing of buffers',
    'nginx',
    [/proxy_set_header (Upgrade|Connection) .*/g, ''],
    [/proxy_(request_)?buffering \w+;/g, ''],
  ],
  [
    'HAProxy without upgrades',
    'haproxy',
    ['  default_backend', '  http-request deny if { req.hdr(upgrade) -i websocket }\n  default_backend'],
  ],
  [
    'Caddy without upgrades',
    'caddy',
    ['\treverse_proxy', '\t@upgrade header Upgrade websocket\n\trespond @upgrade 403\n\treverse_proxy'],
  ],
]

describe('a console behind a proxy', () => {
  const proxies: ReverseProxy[] = []
  /** What lets each run go on, by its question. */
  const gates = new Map<string, () => void>()
  let bench: TestConsole
  beforeAll(async () => {
    const { setInterval } = globalThis
    vi.stubGlobal('setInterval', (work: () => void, time: number) =>
      setInterval(work, time === HEARTBEAT_MS ? TEST_HEARTBEAT_MS : time),
    )
    bench = await TestConsole.start(undefined, { PUBLIC_URL: `https://${PROXY_NAME}`, TRUSTED_PROXY: '127.0.0.1' })
    bench.platform.script = async ({ body }, response) => {
      const ids = createAnswerIds()
      openStream(response)
      response.write(toMessageBlock(ids, 'First '))
      await new Promise<void>((resolve) => gates.set((JSON.parse(body) as { query: string }).query, resolve))
      response.end(toMessageBlock(ids, 'last.') + toMessageEndBlock(ids))
    }
  })
  afterAll(async () => {
    for (const proxy of proxies) proxy.stop()
    await bench.remove()
    vi.unstubAllGlobals()
  })

  const start = async (program: ProxyProgram, changes: readonly SiteChange[]): Promise<ReverseProxy> => {
    const consoles = [new URL(bench.url).host]
    const proxy = await ReverseProxy.start({ program, consoles, changes: [SHORT_TIMEOUTS[program], ...changes] })
    proxies.push(proxy)
    return proxy
  }

  for (const [name, program, ...changes] of PROXIES) {
    const test = requirements[program].isMet ? it.concurrent : it.skip
    const title = `${name} is signed in through, sends each word on as it comes, and outlasts a silence on both kinds of line`
    test(titleWith(requirements[program], title), async ({ expect }) => {
      const proxy = await start(program, changes)

      const session = await proxy.send('POST', '/api/session', {}, { token: 'setup-token-of-the-tests' })
      const cookie = session.headers['set-cookie']?.[0]?.split(';')[0] ?? ''
      expect([session.statusCode, session.headers['set-cookie']?.[0]]).toMatchObject([200, /^__Host-.*; Secure/])
      session.resume()

      const id = randomUUID()
      const path = `/api/keys/${bench.keys.chat}/chat-messages`
      const stream = await proxy.send('POST', path, { cookie, 'run-id': id }, { query: name, user: 'me' })
      let text = ''
      stream.on('data', (part: string) => (text += part))
      // The platform says its last word only when the first one is here.
      await expect.poll(() => text).toContain('First ')

      const socket = new WebSocket(`wss://127.0.0.1:${proxy.port}/api/live`, {
        ...proxy.tls,
        headers: { host: PROXY_NAME, cookie, origin: `https://${PROXY_NAME}` },
      })
      const messages: LiveMessage[] = []
      socket.on('message', (data: Buffer) => messages.push(JSON.parse(data.toString()) as LiveMessage))
      await once(socket, 'open')
      socket.send(JSON.stringify({ watch: id, after: 0 }))
      const frames = () => messages.flatMap((one) => ('frames' in one ? one.frames.map(([seq]) => seq) : []))
      await expect.poll(frames).toEqual([1])

      // Both lines have said nothing but that they stand, for longer than the proxy waits.
      const beats = Math.ceil((PROXY_TIMEOUT_S * 1000 * 1.5) / TEST_HEARTBEAT_MS)
      await expect.poll(() => text.split(': alive').length - 1).toBeGreaterThan(beats)
      await expect.poll(() => messages.filter((one) => 'alive' in one).length).toBeGreaterThan(beats)
      gates.get(name)?.()
      await once(stream, 'end')
      expect(readFrames(text)).toMatchObject({
        frames: [{ id: 1 }, { id: 2 }, { id: 3 }],
        run: { status: 'succeeded' },
      })
      await expect.poll(() => messages.find((one) => 'end' in one)).toMatchObject({ run: id })
      expect(frames()).toEqual([1, 2, 3])
      socket.close()
    })
  }

  for (const [name, program, ...changes] of PROXIES_WITHOUT_UPGRADES) {
    // One after the other: a proxy waits for 3 s alone, and signing in takes long on a busy machine.
    const test = requirements[program].isMet ? it : it.skip
    const title = `${name} refuses a WebSocket, and sends each word on over an event stream that outlasts a silence`
    test(titleWith(requirements[program], title), async () => {
      const proxy = await start(program, changes)
      const { cookie } = bench
      const id = randomUUID()
      const path = `/api/keys/${bench.keys.chat}/chat-messages`
      const headers = { cookie, 'run-id': id, prefer: 'respond-async' }
      const accepted = await proxy.send('POST', path, headers, { query: name, user: 'me' })
      expect(accepted.resume().statusCode).toBe(202)

      const socket = new WebSocket(`wss://127.0.0.1:${proxy.port}${LIVE_PATH}`, {
        ...proxy.tls,
        headers: { host: PROXY_NAME, cookie, origin: `https://${PROXY_NAME}` },
      })
      const [refusal] = (await once(socket, 'error')) as [Error]
      expect(refusal.message).toContain('Unexpected server response')

      const watch = [{ run: id, after: 0 }]
      const stream = await proxy.send('POST', LIVE_EVENTS_PATH, { cookie, origin: `https://${PROXY_NAME}` }, { watch })
      expect(stream.statusCode).toBe(200)
      const messages: LiveMessage[] = []
      const parser = createParser({ onEvent: ({ data }) => messages.push(JSON.parse(data) as LiveMessage) })
      stream.on('data', (part: string) => parser.feed(part))
      const frames = () => messages.flatMap((one) => ('frames' in one ? one.frames.map(([seq]) => seq) : []))
      // The platform says its last word only when the first one is here.
      await expect.poll(frames).toEqual([1])
      // The stream has said nothing but that it stands, for longer than the proxy waits.
      const beats = Math.ceil((PROXY_TIMEOUT_S * 1000 * 1.5) / TEST_HEARTBEAT_MS)
      await expect.poll(() => messages.filter((one) => 'alive' in one).length).toBeGreaterThan(beats)
      gates.get(name)?.()
      await expect.poll(() => messages.find((one) => 'end' in one)).toMatchObject({ run: id })
      expect(frames()).toEqual([1, 2, 3])
      stream.destroy()
    })
  }
})
