import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createParser } from 'eventsource-parser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { LIVE_EVENTS_PATH, LIVE_PATH, type LiveMessage } from '#contract/console/liveMessages.ts'
import { requirements, titleWith } from '#support/requirements.ts'
import { PROXY_NAME } from '#support/reverseProxy.ts'
import { BEATS_OF_A_SILENCE, ProxiedConsole, type ProxyCase } from './proxiedConsole.testing.ts'

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

describe('a console behind a proxy without WebSocket upgrades', () => {
  let proxied: ProxiedConsole
  beforeAll(async () => {
    proxied = await ProxiedConsole.start()
  })
  afterAll(() => proxied.stop())

  for (const [name, program, ...changes] of PROXIES_WITHOUT_UPGRADES) {
    // One after the other: a proxy waits for 3 s alone, and signing in takes long on a busy machine.
    const test = requirements[program].isMet ? it : it.skip
    const title = `${name} refuses a WebSocket, and sends each word on over an event stream that outlasts a silence`
    test(titleWith(requirements[program], title), async () => {
      const proxy = await proxied.startProxy(program, changes)
      const { cookie } = proxied.bench
      const id = randomUUID()
      const path = `/api/keys/${proxied.bench.keys.chat}/chat-messages`
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
      await expect.poll(() => messages.filter((one) => 'alive' in one).length).toBeGreaterThan(BEATS_OF_A_SILENCE)
      proxied.finishAnswer(name)
      await expect.poll(() => messages.find((one) => 'end' in one)).toMatchObject({ run: id })
      expect(frames()).toEqual([1, 2, 3])
      stream.destroy()
    })
  }
})
