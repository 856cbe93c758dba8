import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { WebSocket } from 'ws'
import type { LiveMessage } from '#contract/console/liveMessages.ts'
import { requirements, titleWith } from '#support/requirements.ts'
import { PROXY_NAME } from '#support/reverseProxy.ts'
import { readFrames } from './app.testing.ts'
import { BEATS_OF_A_SILENCE, ProxiedConsole, type ProxyCase } from './proxiedConsole.testing.ts'

const PROXIES: ProxyCase[] = [
  ['nginx', 'nginx'],
  ['nginx that is told nothing of buffers', 'nginx', [/proxy_(request_)?buffering \w+;/g, '']],
  ['HAProxy', 'haproxy'],
  ['Caddy', 'caddy'],
]
describe('a console behind a proxy', () => {
  let proxied: ProxiedConsole
  beforeAll(async () => {
    proxied = await ProxiedConsole.start()
  })
  afterAll(() => proxied.stop())

  for (const [name, program, ...changes] of PROXIES) {
    const test = requirements[program].isMet ? it.concurrent : it.skip
    const title = `${name} is signed in through, sends each word on as it comes, and outlasts a silence on both kinds of line`
    test(titleWith(requirements[program], title), async ({ expect }) => {
      const proxy = await proxied.startProxy(program, changes)

      const session = await proxy.send('POST', '/api/session', {}, { token: 'setup-token-of-the-tests' })
      const cookie = session.headers['set-cookie']?.[0]?.split(';')[0] ?? ''
      expect([session.statusCode, session.headers['set-cookie']?.[0]]).toMatchObject([200, /^__Host-.*; Secure/])
      session.resume()

      const id = randomUUID()
      const path = `/api/keys/${proxied.bench.keys.chat}/chat-messages`
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
      await expect.poll(() => text.split(': alive').length - 1).toBeGreaterThan(BEATS_OF_A_SILENCE)
      await expect.poll(() => messages.filter((one) => 'alive' in one).length).toBeGreaterThan(BEATS_OF_A_SILENCE)
      proxied.finishAnswer(name)
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
})
