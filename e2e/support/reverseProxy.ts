import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createCertificate } from './certificates.ts'
import { programs } from './programs.ts'

/** The programs whose configuration is shipped. */
export type ProxyProgram = 'nginx' | 'haproxy' | 'caddy'

/** The name that people use, in the shipped files too. */
export const PROXY_NAME = 'loupe.example'

/** Changes of a configuration: each text or pattern must be in it, so that a changed file is looked at where it is used. */
export type SiteChange = [from: string | RegExp, to: string]

interface ProxyOptions {
  program: ProxyProgram
  /** `host:port` of each server. */
  consoles: readonly string[]
  changes?: readonly SiteChange[]
}

interface Site {
  folder: string
  port: number
  consoles: readonly string[]
}

/** Of each program: the shipped file, how it is made to listen on a free port of this machine, and how it is started. */
const PROGRAMS: Record<
  ProxyProgram,
  { file: string; toSite: (site: Site) => SiteChange[]; toArguments: (text: string, site: Site) => string[] }
> = {
  nginx: {
    file: 'nginx.conf',
    toSite: ({ folder, port, consoles }) => [
      [/( {2}server 127\.0\.0\.1:8\d+ (.*)\n)+/g, consoles.map((one) => `  server ${one} $2\n`).join('')],
      ['listen 443 ssl', `listen 127.0.0.1:${port} ssl`],
      ['/etc/ssl/loupe.example', `${folder}/own`],
    ],
    toArguments: (text, { folder }) => {
      const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (one) => `${one}_temp_path ${folder}/${one};`,
      )
      const main = `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/log; events { worker_connections 4096; } http { access_log off; ${folders.join(' ')}\n${text}}`
      writeFileSync(join(folder, 'nginx.conf'), main)
      return ['-p', folder, '-e', join(folder, 'log'), '-c', join(folder, 'nginx.conf')]
    },
  },
  haproxy: {
    file: 'haproxy.cfg',
    toSite: ({ folder, port, consoles }) => [
      [/( {2}server \w+ 127\.0\.0\.1:8\d+\n?)+/, consoles.map((one, index) => `  server s${index} ${one}\n`).join('')],
      ['bind :443', `bind 127.0.0.1:${port}`],
      ['/etc/ssl/loupe.example.pem', `${folder}/both.pem`],
    ],
    toArguments: (text, { folder }) => {
      const file = join(folder, 'haproxy.cfg')
      writeFileSync(file, text)
      return ['-db', '-f', file]
    },
  },
  caddy: {
    file: 'Caddyfile',
    toSite: ({ folder, port, consoles }) => [
      [
        'loupe.example {',
        `https://${PROXY_NAME}:${port} {\n\tbind 127.0.0.1\n\ttls ${folder}/own.pem ${folder}/own.key`,
      ],
      [/( 127\.0\.0\.1:8\d+)+/, consoles.map((one) => ` ${one}`).join('')],
    ],
    toArguments: (text, { folder }) => {
      const file = join(folder, 'Caddyfile')
      writeFileSync(file, `{\n\tadmin off\n\tauto_https disable_redirects\n\tskip_install_trust\n}\n${text}`)
      return ['run', '--adapter', 'caddyfile', '--config', file]
    },
  },
}

const applyChanges = (text: string, changes: readonly SiteChange[]): string =>
  changes.reduce((sum, [from, to]) => {
    if (typeof from === 'string' ? !sum.includes(from) : !new RegExp(from.source).test(sum))
      throw new Error(`The shipped file has no ${String(from)} any more.`)
    return typeof from === 'string' || from.global ? sum.replaceAll(from, to) : sum.replace(from, to)
  }, text)

/** A reverse proxy with its shipped configuration in front of some servers, behind TLS on a free port of this machine. */
export class ReverseProxy {
  readonly #process: ChildProcess
  readonly #folder: string
  readonly #authority: string
  readonly port: number

  private constructor(process: ChildProcess, folder: string, authority: string, port: number) {
    this.#process = process
    this.#folder = folder
    this.#authority = authority
    this.port = port
  }

  /** Resolves when a server answers through it. @throws when the program ends */
  static async start({ program, consoles, changes = [] }: ProxyOptions): Promise<ReverseProxy> {
    const folder = mkdtempSync(join(tmpdir(), `loupe-${program}-`))
    const authority = createCertificate({ name: 'The authority of the proxies', names: [], isAuthority: true })
    const certificate = createCertificate({ name: PROXY_NAME, by: authority })
    writeFileSync(join(folder, 'own.pem'), certificate.cert)
    writeFileSync(join(folder, 'own.key'), certificate.key)
    writeFileSync(join(folder, 'both.pem'), certificate.cert + certificate.key)
    mkdirSync(join(folder, 'home'))
    const site = { folder, port: await findFreePort(), consoles }
    const { file, toSite, toArguments } = PROGRAMS[program]
    const shipped = readFileSync(new URL(`../../docs/operating/${file}`, import.meta.url), 'utf8')
    const text = applyChanges(shipped, [...toSite(site), ...changes])
    const home = join(folder, 'home')
    const child = spawn(programs[program].find() ?? program, toArguments(text, site), {
      env: { ...process.env, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home, HOME: home },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let printed = ''
    for (const output of [child.stdout, child.stderr])
      output?.on('data', (part: Buffer) => (printed = (printed + part.toString()).slice(-10_000)))
    const proxy = new ReverseProxy(child, folder, authority.cert, site.port)
    for (;;) {
      if (child.exitCode !== null) throw new Error(`${program} ended: ${printed}`)
      const response = await proxy.send('GET', '/healthz').catch(() => null)
      if (response?.resume().statusCode === 200) return proxy
      await wait(100)
    }
  }

  /** What a TLS client of the proxy needs. */
  get tls(): { ca: string; servername: string } {
    return { ca: this.#authority, servername: PROXY_NAME }
  }

  /** Sends a request as a script does, on a connection of its own. The response is not read yet. */
  async send(
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: unknown,
  ): Promise<IncomingMessage> {
    const sent: ClientRequest = request({
      host: '127.0.0.1',
      port: this.port,
      method,
      path,
      headers: { host: PROXY_NAME, 'x-console': '1', 'content-type': 'application/json', ...headers },
      ...this.tls,
      agent: false,
    })
    sent.end(body === undefined ? undefined : JSON.stringify(body))
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    return response.setEncoding('utf8')
  }

  stop(): void {
    this.#process.kill('SIGKILL')
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
