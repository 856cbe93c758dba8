import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createPlain } from 'node:http'
import { createSecureServer } from 'node:http2'
import { type AddressInfo, createServer as createBare, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCertificate } from '#support/certificates.ts'

const authority = createCertificate({ name: 'An authority', names: [], isAuthority: true })
const unknownAuthority = createCertificate({ name: 'Another authority', names: [], isAuthority: true })
const validCertificate = { name: 'localhost', names: ['localhost', '127.0.0.1'] }

/** What stands at an address, and what is said of it where the authority is trusted, and where it is not. */
const CASES = {
  right: { ...validCertificate, by: authority },
  expired: { ...validCertificate, by: authority, from: -9, until: -1 },
  'not valid yet': { ...validCertificate, by: authority, from: 1, until: 9 },
  'for another name': { name: 'elsewhere.example', by: authority },
  'signed by itself': validCertificate,
  'signed by a stranger': { ...validCertificate, by: unknownAuthority },
}
type Case =
  | keyof typeof CASES
  | 'no TLS'
  | 'a line that breaks in the handshake'
  | 'a line that is closed in the handshake'
const KNOWN = {
  right: '200 HTTP/1.1 {"greeting":"hello"}',
  expired: 'unreachable The certificate of ORIGIN has expired.',
  'not valid yet': 'unreachable The certificate of ORIGIN is not valid yet. Is the server’s clock right?',
  'for another name': 'unreachable The certificate of ORIGIN is for another name.',
  'signed by itself':
    'unreachable The certificate of ORIGIN is self-signed. To trust it, set NODE_EXTRA_CA_CERTS to its file.',
  'signed by a stranger':
    'unreachable The certificate of ORIGIN is signed by an authority that the console’s server does not know. To trust an authority, set NODE_EXTRA_CA_CERTS to its certificate file.',
  'no TLS': 'unreachable TLS connection to ORIGIN failed: the server uses another TLS version, or none.',
  'a line that breaks in the handshake':
    'unreachable The connection to the platform at ORIGIN broke before anything was sent.',
  'a line that is closed in the handshake':
    'unreachable The connection to the platform at ORIGIN broke before anything was sent.',
} satisfies Record<Case, string>

describe('a platform behind TLS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'loupe-certificates-'))
  const servers: Server[] = []
  const origins = {} as Record<Case, string>
  let requests = 0
  const listen = async (name: Case, server: Server) => {
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    origins[name] = `https://localhost:${(server.address() as AddressInfo).port}`
  }
  beforeAll(async () => {
    for (const [name, wish] of Object.entries(CASES)) {
      const server = createSecureServer({ ...createCertificate(wish), allowHTTP1: true }, (request, response) => {
        requests++
        response.writeHead(200, { 'content-type': 'application/json', 'x-version': `HTTP/${request.httpVersion}` })
        response.end('{"greeting":"hello"}')
      })
      await listen(name as Case, server)
    }
    await listen(
      'no TLS',
      createPlain((_, response) => void response.end('{}')),
    )
    const breaking = (how: 'resetAndDestroy' | 'end') =>
      createBare((socket) => void socket.on('error', () => undefined).once('data', () => socket[how]()))
    await listen('a line that breaks in the handshake', breaking('resetAndDestroy'))
    await listen('a line that is closed in the handshake', breaking('end'))
    writeFileSync(join(folder, 'authority.pem'), authority.cert)
  })
  afterAll(() => {
    for (const server of servers) server.close()
    rmSync(folder, { recursive: true })
  })

  /** Asks each from a process of its own: what authorities are trusted is read once, when it begins. */
  const ask = async (env: Record<string, string>): Promise<Record<string, string>> => {
    const program = `
      import { createEgressPolicy } from './server/vault/egressPolicy.ts'
      import { readRedactedText, UpstreamClient } from './server/relay/upstream/upstream.ts'
      const upstream = new UpstreamClient(createEgressPolicy({ loopbackOnly: true, allow: '' }))
      const said = {}
      for (const [name, origin] of Object.entries(JSON.parse(process.argv[1]))) {
        const credential = { base_url: origin + '/v1', secret: 'app-key-behind-tls' }
        const outgoing = { method: 'POST', path: '/chat-messages', body: '{}', accept: 'application/json', timeoutMs: 20_000 }
        said[name] = await upstream.send(credential, outgoing, 'r').then(
          async (answer) => \`\${answer.status} \${answer.version} \${await readRedactedText(answer)}\`,
          ({ problem }) => \`\${problem.kind} \${problem.message}\`,
        )
      }
      console.log(JSON.stringify(said))
      await upstream.close()`
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', program, JSON.stringify(origins)],
      { env: { ...process.env, ...env } },
    )
    return JSON.parse(stdout) as Record<string, string>
  }
  const expected = (changes: Partial<Record<Case, string>>) =>
    Object.fromEntries(
      Object.entries({ ...KNOWN, ...changes }).map(([name, said]) => [
        name,
        said.replace('ORIGIN', origins[name as Case]),
      ]),
    )

  it('is asked only where its certificate is right and NODE_EXTRA_CA_CERTS names the authority, and told of plainly', async () => {
    const said = await ask({ NODE_EXTRA_CA_CERTS: join(folder, 'authority.pem') })
    expect(said).toEqual(expected({}))
    expect(requests).toBe(1)
  })

  it('is not asked where no authority is trusted, and no variable switches that off', async () => {
    const said = await ask({ NODE_TLS_REJECT_UNAUTHORIZED: '0', NODE_EXTRA_CA_CERTS: '' })
    expect(said.right).toBe(expected({ right: KNOWN['signed by a stranger'] }).right)
    expect(Object.values(said).filter((one) => !one.startsWith('unreachable'))).toEqual([])
    expect(requests).toBe(1)
  })
})
