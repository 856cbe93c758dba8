import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Problem } from '#contract/problem.ts'
import { sendError } from '#support/platforms/scriptedPlatform.ts'
import { TestConsole } from '../app.testing.ts'
import { MasterKeys } from './masterKeys.ts'
import { createKeyEnvelope } from './keyEnvelope.ts'

describe('a seal', () => {
  const masters = (given = randomBytes(32).toString('hex')) => new MasterKeys(given, '/nowhere')
  const { seal: close, open } = createKeyEnvelope(masters())
  const bond = 'key-1 https://platform.example'

  it('opens with its bond alone, and never looks the same twice', () => {
    expect(open(close('app-secret', bond), bond)).toBe('app-secret')
    expect(close('app-secret', bond)).not.toBe(close('app-secret', bond))
    expect(() => open(close('app-secret', bond), 'key-2 https://platform.example')).toThrow()
    expect(() => open(close('app-secret', bond), 'key-1 https://elsewhere.example')).toThrow()
    expect(() => createKeyEnvelope(masters()).open(close('app-secret', bond), bond)).toThrow()
  })

  it('does not open when any byte was altered or cut', () => {
    const envelope = close('app-secret', bond)
    const head = envelope.slice(0, envelope.lastIndexOf('.') + 1)
    const bytes = Buffer.from(envelope.slice(head.length), 'base64')
    for (let at = 0; at < bytes.length; at++) {
      const altered = Buffer.from(bytes)
      altered[at] = (altered[at] ?? 0) ^ 1
      expect(() => open(head + altered.toString('base64'), bond), `byte ${at}`).toThrow()
      expect(() => open(`1${envelope.slice(1)}`, bond)).toThrow()
      expect(() => open(head + bytes.subarray(0, at).toString('base64'), bond), `cut at ${at}`).toThrow()
    }
  })
})

describe('the master key', () => {
  let folder = ''
  beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'loupe-seal-'))))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('is made when the first key is sealed, for its owner’s eyes', () => {
    const masters = new MasterKeys(undefined, folder)
    expect(masters.isEmpty).toBe(true)
    const made = masters.getSealingKey()
    expect(new MasterKeys(undefined, folder).getSealingKey()).toEqual(made)
    expect(statSync(join(folder, 'secrets', 'master.key')).mode & 0o777).toBe(0o600)
    expect(statSync(join(folder, 'secrets')).mode & 0o777).toBe(0o700)
  })

  it('is not taken from a damaged file', () => {
    const damaged = join(folder, 'damaged')
    mkdirSync(join(damaged, 'secrets'), { recursive: true })
    writeFileSync(join(damaged, 'secrets', 'master.key'), 'abc')
    expect(() => new MasterKeys(undefined, damaged)).toThrow('is not 64 hexadecimal digits')
  })

  it('given as a list seals with the first and opens with all', () => {
    const [old, fresh] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')]
    const sealed = createKeyEnvelope(new MasterKeys(old, folder)).seal('app-secret', 'bond')
    const both = createKeyEnvelope(new MasterKeys(`${fresh},${old}`, folder))
    expect(both.open(sealed, 'bond')).toBe('app-secret')
    expect(createKeyEnvelope(new MasterKeys(fresh, folder)).open(both.seal('app-secret', 'bond'), 'bond')).toBe(
      'app-secret',
    )
  })

  it('renewed goes first, and the old one opens until it is forgotten', () => {
    const masters = new MasterKeys(undefined, folder)
    const another = new MasterKeys(undefined, folder)
    const sealed = createKeyEnvelope(masters).seal('app-secret', 'bond')
    masters.addNew()
    expect(createKeyEnvelope(masters).open(sealed, 'bond')).toBe('app-secret')
    const fresh = createKeyEnvelope(masters).seal('app-secret', 'bond')
    expect(createKeyEnvelope(another).open(fresh, 'bond')).toBe('app-secret')
    masters.dropOlderThan('of a renewal before')
    expect(createKeyEnvelope(masters).open(sealed, 'bond')).toBe('app-secret')
    masters.dropOlderThan(masters.getSealingKey().id)
    expect(() => createKeyEnvelope(masters).open(sealed, 'bond')).toThrow()
    expect(readFileSync(join(folder, 'secrets', 'master.key'), 'utf8')).toMatch(/^[0-9a-f]{64}\n$/)
  })
})

describe('a sealed key', () => {
  const bench = TestConsole.forFile()
  const asked = async (key: string) => {
    const response = await bench.fetch('GET', `/api/keys/${key}/parameters`)
    return { status: response.status, problem: (await response.json()) as Problem }
  }

  it('moved to another row does not open there', async () => {
    const { chat, completion } = bench.keys
    await bench.query('UPDATE keys SET sealed = (SELECT sealed FROM keys WHERE id = $1) WHERE id = $2', [
      chat,
      completion,
    ])
    // A server that has opened a key of late has it in memory.
    await bench.restart()
    expect(await asked(completion)).toMatchObject({ status: 409, problem: { kind: 'denied' } })
    expect(bench.platform.requests.length).toBe(0)
  })

  it('is sealed again while requests go on, and none of them fails', async () => {
    const { knowledge } = bench.keys
    bench.platform.script = (_seen, response) => sendError(response, 200, { data: [] })
    const path = `/api/keys/${knowledge}/datasets/${knowledge}/documents`
    const before = readFileSync(join(bench.folder, 'secrets', 'master.key'), 'utf8')
    let going = true
    const statuses: number[] = []
    const asking = Promise.all(
      [1, 2, 3, 4].map(async () => {
        while (going) statuses.push((await bench.fetch('GET', path)).status)
      }),
    )
    const other = `/api/workspaces/${bench.workspace}/keys/${bench.keys.completion}`
    await bench.json('PATCH', other, { key: 'app-entered-again' })
    for (let round = 0; round < 3; round++) expect(await bench.json('POST', '/api/vault/renew')).toEqual({ sealed: 4 })
    await expect.poll(() => statuses.length).toBeGreaterThan(200)
    going = false
    await asking
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(readFileSync(join(bench.folder, 'secrets', 'master.key'), 'utf8')).not.toBe(before)
    await bench.restart()
    expect((await bench.fetch('GET', path)).status).toBe(200)
  })

  it('is replaced by another without a request that fails, and the next one carries the new', async () => {
    bench.platform.script = (_seen, response) => sendError(response, 200, { data: [] })
    const { knowledge } = bench.keys
    const path = `/api/keys/${knowledge}/datasets/${knowledge}/documents`
    const asked = Array.from({ length: 20 }, () => bench.fetch('GET', path))
    await bench.json('PATCH', `/api/workspaces/${bench.workspace}/keys/${knowledge}`, { key: 'dataset-the-new-one' })
    expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set([200]))
    await bench.fetch('GET', path)
    expect(bench.platform.requests.at(-1)?.headers.authorization).toBe('Bearer dataset-the-new-one')
  })

  it('without its master key leaves the console to be read, until each key is entered again', async () => {
    const file = join(bench.folder, 'secrets', 'master.key')
    const right = readFileSync(file, 'utf8')
    for (const wrong of [null, `${randomBytes(32).toString('hex')}\n`]) {
      await bench.closeConsole()
      if (wrong) writeFileSync(file, wrong)
      else rmSync(file)
      await bench.openConsole()
      const list = await bench.json<{ read_only: string; data: { keys: { usable: boolean }[] }[] }>(
        'GET',
        '/api/workspaces',
      )
      expect(list.read_only).toContain(wrong ? 'is another one' : 'is missing')
      expect(list.data[0]?.keys.map(({ usable }) => usable)).toEqual([false, false, false, false])
      expect(await (await bench.fetch('GET', '/readyz')).json()).toEqual({ ready: true, read_only: list.read_only })
      expect(existsSync(file)).toBe(wrong !== null)
      const { status, problem } = await asked(bench.keys.chat)
      expect([status, problem.message]).toEqual([409, expect.stringContaining('must be entered again')])
      const change = await bench.fetch('POST', '/api/workspaces', { name: 'x', base_url: 'http://127.0.0.1:9/v1' })
      expect([change.status, ((await change.json()) as Problem).message]).toEqual([503, list.read_only])
      expect((await bench.ask()).status).toBe(503)
    }
    for (const [kind, id] of Object.entries(bench.keys))
      await bench.json('PATCH', `/api/workspaces/${bench.workspace}/keys/${id}`, { key: `app-entered-again-${kind}` })
    expect((await bench.json<{ read_only: null }>('GET', '/api/workspaces')).read_only).toBeNull()
    await asked(bench.keys.chat)
    expect(bench.platform.requests.at(-1)?.headers.authorization).toBe('Bearer app-entered-again-chat')
    expect((await bench.fetch('POST', '/api/vault/renew')).status).toBe(200)
    expect(readFileSync(file, 'utf8')).not.toBe(right)
  })
})
