import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Problem } from '#contract/problem.ts'
import { Bench } from '../app.testing.ts'
import { masterKey, seal } from './seal.ts'

describe('a seal', () => {
  const { close, open } = seal(randomBytes(32))
  const bond = 'key-1 https://platform.example'

  it('opens with its bond alone, and never looks the same twice', () => {
    expect(open(close('app-secret', bond), bond)).toBe('app-secret')
    expect(close('app-secret', bond)).not.toBe(close('app-secret', bond))
    expect(() => open(close('app-secret', bond), 'key-2 https://platform.example')).toThrow()
    expect(() => open(close('app-secret', bond), 'key-1 https://elsewhere.example')).toThrow()
    expect(() => seal(randomBytes(32)).open(close('app-secret', bond), bond)).toThrow()
  })

  it('does not open when any byte was altered or cut', () => {
    const bytes = Buffer.from(close('app-secret', bond), 'base64')
    for (let at = 0; at < bytes.length; at++) {
      const altered = Buffer.from(bytes)
      altered[at] = (altered[at] ?? 0) ^ 1
      expect(() => open(altered.toString('base64'), bond), `byte ${at}`).toThrow()
      expect(() => open(bytes.subarray(0, at).toString('base64'), bond), `cut at ${at}`).toThrow()
    }
  })
})

describe('the master key', () => {
  let folder = ''
  beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'loupe-seal-'))))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('is made once, for its owner’s eyes', () => {
    const made = masterKey(undefined, folder, true)
    expect(masterKey(undefined, folder, false).equals(made)).toBe(true)
    expect(statSync(join(folder, 'secrets', 'master.key')).mode & 0o777).toBe(0o600)
    expect(statSync(join(folder, 'secrets')).mode & 0o777).toBe(0o700)
  })

  it('is never made anew over sealed keys, nor taken from a damaged file', () => {
    expect(() => masterKey(undefined, join(folder, 'elsewhere'), false)).toThrow('The master key is missing')
    const damaged = join(folder, 'damaged')
    mkdirSync(join(damaged, 'secrets'), { recursive: true })
    writeFileSync(join(damaged, 'secrets', 'master.key'), 'abc')
    expect(() => masterKey(undefined, damaged, true)).toThrow('is not 64 hexadecimal digits')
  })
})

describe('a sealed key', () => {
  let bench: Bench
  beforeAll(async () => {
    bench = await Bench.start()
  })
  afterAll(() => bench.remove())
  const asked = async (key: string) => {
    const response = await bench.fetch('GET', `/api/keys/${key}/parameters`)
    return { status: response.status, problem: (await response.json()) as Problem }
  }

  it('moved to another row does not open there', async () => {
    const { chat, completion } = bench.keys
    await bench.database.pool.query('UPDATE keys SET sealed = (SELECT sealed FROM keys WHERE id = $1) WHERE id = $2', [
      chat,
      completion,
    ])
    // A server that has opened a key of late has it in memory.
    await bench.shut()
    await bench.open()
    expect(await asked(completion)).toMatchObject({ status: 409, problem: { kind: 'denied' } })
    expect(bench.platform.seen.length).toBe(0)
  })

  it('asks to be entered again when the master key is another one, and a start without one refuses', async () => {
    await bench.shut()
    rmSync(join(bench.folder, 'secrets', 'master.key'))
    await expect(bench.open()).rejects.toThrow('The master key is missing')
    await bench.database.close()
    writeFileSync(join(bench.folder, 'secrets', 'master.key'), randomBytes(32).toString('hex'))
    await bench.open()
    const { status, problem } = await asked(bench.keys.chat)
    expect([status, problem.message]).toEqual([409, expect.stringContaining('must be entered again')])
    const path = `/api/workspaces/${bench.workspace}/keys/${bench.keys.chat}`
    await bench.json('PATCH', path, { key: 'app-entered-again' })
    await asked(bench.keys.chat)
    expect(bench.platform.seen.at(-1)?.headers.authorization).toBe('Bearer app-entered-again')
  })
})
