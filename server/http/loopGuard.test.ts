import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Problem } from '#contract/problem.ts'
import { TestConsole } from '../app.testing.ts'

describe('a platform that is the console itself', () => {
  let bench: TestConsole
  let proxy: Server
  let url = ''
  let connections = 0
  beforeAll(async () => {
    bench = await TestConsole.start(undefined, { PUBLIC_URL: 'https://Loupe.example' })
    // A name of the console that it does not know: a proxy on another port.
    proxy = createServer((socket) => {
      connections++
      const onward = connect(Number(new URL(bench.url).port), '127.0.0.1')
      socket.pipe(onward).pipe(socket)
      socket.on('error', () => onward.destroy())
      onward.on('error', () => socket.destroy())
    }).listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  })
  afterAll(async () => {
    await bench.remove()
    proxy.close()
  })

  it('under its public name is no address for a workspace', async () => {
    for (const base_url of ['https://loupe.example/v1', 'https://LOUPE.example./v1', 'https://loupe.example:443']) {
      const response = await bench.fetch('POST', '/api/workspaces', { name: 'Itself', base_url })
      expect([base_url, response.status]).toEqual([base_url, 400])
      expect(((await response.json()) as Problem).message).toContain('must not lead to loupe.example')
    }
    const other = await bench.fetch('POST', '/api/workspaces', {
      name: 'Beside',
      base_url: 'https://loupe.example:8443',
    })
    expect(other.status).toBe(200)
  })

  it('under a name that it does not know answers itself with 508, and nothing goes around', async () => {
    const { token } = await bench.json<{ token: string }>('POST', '/api/account/tokens', {
      name: 'round',
      role: 'admin',
      days: 1,
    })
    const { id } = await bench.json<{ id: string }>('POST', '/api/workspaces', { name: 'Round', base_url: url })
    const key = await bench.json<{ id: string }>('POST', `/api/workspaces/${id}/keys`, {
      kind: 'chat',
      label: 'round',
      key: token,
    })
    await bench.json('PATCH', `/api/workspaces/${id}`, { base_url: `${url}/api/keys/${key.id}` })
    connections = 0
    const response = await bench.fetch('GET', `/api/keys/${key.id}/parameters`)
    expect(response.status).toBe(424)
    const problem = (await response.json()) as Problem
    expect(problem).toMatchObject({ kind: 'refused', upstream: { status: 508 } })
    expect(problem.message).toContain('points back here')
    expect(connections).toBeLessThan(5)
  })

  it('takes what another server on its database has sent for its own, and what a stranger writes for nothing', async () => {
    const other = '7d0c2a52-6b1f-4c53-9a52-0d9f3a1c7e01'
    const ask = async (hop: string) =>
      (await bench.fetch('GET', '/api/session', undefined, { 'x-loupe-hop': hop })).status
    expect(await ask(other)).toBe(200)
    await bench.query('INSERT INTO servers(id, seen_at) VALUES ($1, now())', [other])
    expect(await ask(other)).toBe(508)
    for (const hop of ['', 'x', "'; --", '0'.repeat(4000)]) expect(await ask(hop)).toBe(200)
  })
})
