import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { open } from './database.ts'
import { guard } from './guard.ts'

const ignore = () => undefined

describe('the embedded database', () => {
  let folder = ''
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'loupe-guard-'))
    const database = await open({ folder })
    await database.pool.query(`INSERT INTO links(token, expires_at) VALUES ('kept', now())`)
    await database.close()
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('holds what was written when it is opened again', async () => {
    const database = await open({ folder })
    const { rows } = await database.pool.query('SELECT token FROM links')
    expect(rows).toEqual([{ token: 'kept' }])
    await database.close()
  })

  it('refuses a second start on the same folder and names who holds it', async () => {
    const database = await open({ folder })
    await expect(open({ folder })).rejects.toThrow(`is in use by process ${process.pid}`)
    await database.close()
  })

  it('refuses a folder whose marker is missing or unreadable, and leaves it untouched', async () => {
    const marker = join(folder, 'marker.json')
    rmSync(marker)
    await expect(open({ folder })).rejects.toThrow('marker file (marker.json) is missing')
    writeFileSync(marker, '{"state":')
    await expect(open({ folder })).rejects.toThrow('marker file (marker.json) is unreadable')
    writeFileSync(marker, '{"state":"ready"}')
    await (await open({ folder })).close()
  })

  it('refuses a folder that has lost a file, rather than starting empty', async () => {
    const version = join(folder, 'database', 'PG_VERSION')
    rmSync(version)
    await expect(open({ folder, onDeath: ignore })).rejects.toThrow('PG_VERSION is missing or empty')
    writeFileSync(version, '18\n')
    const wal = join(folder, 'database', 'pg_wal')
    for (const name of readdirSync(wal).filter((one) => /^[0-9A-F]{24}$/.test(one))) truncateSync(join(wal, name), 100)
    await expect(open({ folder, onDeath: ignore })).rejects.toThrow('is damaged')
  })

  it('makes a database again whose first making was killed half way', () => {
    const half = mkdtempSync(join(tmpdir(), 'loupe-guard-'))
    mkdirSync(join(half, 'database'))
    writeFileSync(join(half, 'marker.json'), '{"state":"making"}')
    const held = guard(half)
    expect(held.fresh).toBe(true)
    held.release()
    rmSync(half, { recursive: true, force: true })
  })
})
