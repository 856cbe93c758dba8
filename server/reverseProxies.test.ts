import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createParser } from 'eventsource-parser'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { LIVE_EVENTS_PATH, LIVE_PATH, type LiveMessage } from '#contract/console/liveMessages.ts'
import { createCertificate } from '#support/certificates.ts'
import { toMessageBlock, toMessageEndBlock, createAnswerIds, openStream } from '#support/platforms/scriptedPlatform.ts'
import { programs } from '#support/programs.ts'
import { requirements, titleWith } from '#support/requirements.ts'
import { TestConsole, readFrames } from './app.testing.ts'

const NAME = 'loupe.example'
/** Seconds of silence after which a proxy gives up here; the console's heartbeat, a quarter of the usual limit, is so here too. */
const PROXY_TIMEOUT_S = 3
const TEST_HEARTBEAT_MS = 500
const HEARTBEAT_MS = 15_000

const authority = createCertificate({ name: 'The authority of the proxies', names: [], isAuthority: true })
const certificate = createCertificate({ name: NAME, by: authority })
const readShippedFile = (file: string) => readFileSync(new URL(`../docs/operating/${file}`, import.meta.url), 'utf8')
/** Each of these must be there: a file that was changed must be looked at here as well. */
const replaceAll = (text: string, changes: [from: string | RegExp, to: string][]) =>
  changes.reduce((sum, [from, to]) => {
    expect(sum).toMatch(from)
    return sum.replaceAll(from, to)
  }, text)

interface ProxySite {
  folder: string
  port: number
  console: string
}
/** The files of docs/operating as they are shipped, but for ports, paths, and how long they wait. */
const siteOfNginx = ({ folder, port, console }: ProxySite) =>
  replaceAll(readShippedFile('nginx.conf'), [
    ['127.0.0.1:8787', console],
    [/ {2}server 127\.0\.0\.1:88?[790]7 .*\n/g, ''],
    ['listen 443 ssl', `listen 127.0.0.1:${port} ssl`],
    ['/etc/ssl/loupe.example', `${folder}/own`],
    [/_timeout (60|150)s/g, `_timeout ${PROXY_TIMEOUT_S}s`],
  ])
const nginx = (site: string, { folder }: ProxySite): string[] => {
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (one) => `${one}_temp_path ${folder}/${one};`,
  )
  const main = `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/log; events {} http { access_log off; ${folders.join(' ')}\n${site}}`
  writeFileSync(join(folder, 'nginx.conf'), main)
  return ['-p', folder, '-e', join(folder, 'log'), '-c', join(folder, 'nginx.conf')]
}
const siteOfHaproxy = ({ folder, port, console }: ProxySite) =>
  replaceAll(readShippedFile('haproxy.cfg'), [
    ['bind :443', `bind 127.0.0.1:${port}`],
    ['/etc/ssl/loupe.example.pem', `${folder}/both.pem`],
    [/(timeout (client|server|tunnel)) \d+[hs]/g, `$1 ${PROXY_TIMEOUT_S}s`],
    ['127.0.0.1:8787', console],
    [/ {2}server (two|three) .*\n?/g, ''],
  ])
const haproxy = (site: string, { folder }: ProxySite): string[] => {
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(file, site)
  return ['-db', '-f', file]
}
const siteOfCaddy = ({ folder, port, console }: ProxySite) =>
  replaceAll(readShippedFile('Caddyfile'), [
    ['loupe.example {', `https://${NAME}:${port} {\n\tbind 127.0.0.1\n\ttls ${folder}/own.pem ${folder}/own.key`],
    ['127.0.0.1:8787 127.0.0.1:8797 127.0.0.1:8807', console],
    ['150s', `${PROXY_TIMEOUT_S}s`],
  ])
const caddy = (site: string, { folder }: ProxySite): string[] => {
  const file = join(folder, 'Caddyfile')
  writeFileSync(file, `{\n\tadmin off\n\tauto_https disable_redirects\n\tskip_install_trust\n}\n${site}`)
  return ['run', '--adapter', 'caddyfile', '--config', file]
}

type ProxyCase = [name: string, program: keyof typeof programs, prepare: (site: ProxySite) => string[]]
const PROXIES: ProxyCase[] = [
  ['nginx', 'nginx', (site) => nginx(siteOfNginx(site), site)],
  [
    'nginx that is told nothing of buffers',
    'nginx',
    (site) => nginx(replaceAll(siteOfNginx(site), [[/proxy_(request_)?buffering \w+;/g, '']]), site),
  ],
  ['HAProxy', 'haproxy', (site) => haproxy(siteOfHaproxy(site), site)],
  ['Caddy', 'caddy', (site) => caddy(siteOfCaddy(site), site)],
]
/** The same files with WebSocket upgrades switched off. */
const PROXIES_WITHOUT_UPGRADES: ProxyCase[] = [
  [
    'nginx without upgrades',
    'nginx',
    (site) =>
      nginx(
        replaceAll(siteOfNginx(site), [
          [/proxy_set_header Upgrade .*/g, ''],
          [/proxy_set_header Connection .*/g, "proxy_set_header Connection '';"],
        ]),
        site,
      ),
  ],
  [
    'nginx without upgrades that is told nothing of buffers',
    'nginx',
    (site) =>
      nginx(
        replaceAll(siteOfNginx(site), [
          [/proxy_set_header (Upgrade|Connection) .*/g, ''],
          [/proxy_(request_)?buffering \w+;/g, ''],
        ]),
        site,
      ),
  ],
  [
    'HAProxy without upgrades',
    'haproxy',
    (site) =>
      haproxy(
        replaceAll(siteOfHaproxy(site), [
          ['  default_backend', '  http-request deny if { req.hdr(upgrade) -i websocket }\n  default_backend'],
        ]),
        site,
      ),
  ],
  [
    'Caddy without upgrades',
    'caddy',
    (site) =>
      caddy(
        replaceAll(siteOfCaddy(site), [
          ['\treverse_proxy', '\t@upgrade header Upgrade websocket\n\trespond @upgrade 403\n\treverse_proxy'],
        ]),
        site,
      ),
  ],
]

describe('a console behind a proxy', () => {
  const folder = mkdtempSync(join(tmpdir(), 'loupe-proxies-'))
  const processes: ChildProcess[] = []
  /** What lets each run go on, by its question. */
  const gates = new Map<string, () => void>()
  let bench: TestConsole
  beforeAll(async () => {
    const { setInterval } = globalThis
    vi.stubGlobal('setInterval', (work: () => void, time: number) =>
      setInterval(work, time === HEARTBEAT_MS ? TEST_HEARTBEAT_MS : time),
    )
    bench = await TestConsole.start(undefined, { PUBLIC_URL: `https://${NAME}`, TRUSTED_PROXY: '127.0.0.1' })
    bench.platform.script = async ({ body }, response) => {
      const ids = createAnswerIds()
      openStream(response)
      response.write(toMessageBlock(ids, 'First '))
      await new Promise<void>((resolve) => gates.set((JSON.parse(body) as { query: string }).query, resolve))
      response.end(toMessageBlock(ids, 'last.') + toMessageEndBlock(ids))
    }
  })
  afterAll(async () => {
    for (const one of processes) one.kill('SIGKILL')
    await bench.remove()
    vi.unstubAllGlobals()
    rmSync(folder, { recursive: true })
  })

  const begin = async (name: string, program: string, prepare: (site: ProxySite) => string[]): Promise<number> => {
    const place = join(folder, name.replaceAll(' ', '-'))
    mkdirSync(place)
    writeFileSync(join(place, 'own.pem'), certificate.cert)
    writeFileSync(join(place, 'own.key'), certificate.key)
    writeFileSync(join(place, 'both.pem'), certificate.cert + certificate.key)
    const port = await freePort()
    const args = prepare({ folder: place, port, console: new URL(bench.url).host })
    const proxy = spawn(program, args, {
      env: { ...process.env, XDG_DATA_HOME: place, XDG_CONFIG_HOME: place, HOME: place },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    processes.push(proxy)
    let said = ''
    for (const stream of [proxy.stdout, proxy.stderr]) stream?.on('data', (part: Buffer) => (said += part.toString()))
    for (;;) {
      if (proxy.exitCode !== null) throw new Error(`${name} ended: ${said}`)
      const response = await ask(port, 'GET', '/healthz').catch(() => null)
      if (response?.statusCode === 200) return port
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  const ask = async (port: number, method: string, path: string, headers = {}, body?: unknown) => {
    const all = { host: NAME, 'x-console': '1', 'content-type': 'application/json', ...headers }
    const options = { host: '127.0.0.1', port, method, path, headers: all, ca: authority.cert, servername: NAME }
    const sent = request({ ...options, agent: false })
    sent.end(body === undefined ? undefined : JSON.stringify(body))
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    return response.setEncoding('utf8')
  }

  for (const [name, program, prepare] of PROXIES) {
    const test = requirements[program].isMet ? it.concurrent : it.skip
    const title = `${name} is signed in through, sends each word on as it comes, and outlasts a silence on both kinds of line`
    test(titleWith(requirements[program], title), async ({ expect }) => {
      const port = await begin(name, programs[program].find() ?? name, prepare)

      const session = await ask(port, 'POST', '/api/session', {}, { token: 'setup-token-of-the-tests' })
      const cookie = session.headers['set-cookie']?.[0]?.split(';')[0] ?? ''
      expect([session.statusCode, session.headers['set-cookie']?.[0]]).toMatchObject([200, /^__Host-.*; Secure/])
      session.resume()

      const id = randomUUID()
      const path = `/api/keys/${bench.keys.chat}/chat-messages`
      const stream = await ask(port, 'POST', path, { cookie, 'run-id': id }, { query: name, user: 'me' })
      let text = ''
      stream.on('data', (part: string) => (text += part))
      // The platform says its last word only when the first one is here.
      await expect.poll(() => text).toContain('First ')

      const socket = new WebSocket(`wss://127.0.0.1:${port}/api/live`, {
        ...{ ca: authority.cert, servername: NAME },
        headers: { host: NAME, cookie, origin: `https://${NAME}` },
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

  for (const [name, program, prepare] of PROXIES_WITHOUT_UPGRADES) {
    // One after the other: a proxy waits for 3 s alone, and signing in takes long on a busy machine.
    const test = requirements[program].isMet ? it : it.skip
    const title = `${name} refuses a WebSocket, and sends each word on over an event stream that outlasts a silence`
    test(titleWith(requirements[program], title), async () => {
      const port = await begin(name, programs[program].find() ?? name, prepare)
      const { cookie } = bench
      const id = randomUUID()
      const path = `/api/keys/${bench.keys.chat}/chat-messages`
      const headers = { cookie, 'run-id': id, prefer: 'respond-async' }
      const accepted = await ask(port, 'POST', path, headers, { query: name, user: 'me' })
      expect(accepted.resume().statusCode).toBe(202)

      const socket = new WebSocket(`wss://127.0.0.1:${port}${LIVE_PATH}`, {
        ...{ ca: authority.cert, servername: NAME },
        headers: { host: NAME, cookie, origin: `https://${NAME}` },
      })
      const [refusal] = (await once(socket, 'error')) as [Error]
      expect(refusal.message).toContain('Unexpected server response')

      const watch = [{ run: id, after: 0 }]
      const stream = await ask(port, 'POST', LIVE_EVENTS_PATH, { cookie, origin: `https://${NAME}` }, { watch })
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

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
