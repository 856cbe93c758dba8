import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../database.ts'
import { createTestFolder } from './folder.testing.ts'
import { guardFolder } from './folderGuard.ts'

const noop = () => undefined

describe('the embedded database', () => {
  let folder = ''
  beforeAll(async () => {
    folder = await createTestFolder()
    const database = await openDatabase({ folder })
    await database.pool.query(`INSERT INTO sign_in_links(token, expires_at) VALUES ('kept', now())`)
    await database.close()
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('holds what was written when it is opened again, and refuses a second start with the name of who holds it', async () => {
    const database = await openDatabase({ folder })
    const { rows } = await database.pool.query('SELECT token FROM sign_in_links')
    expect(rows).toEqual([{ token: 'kept' }])
    await expect(openDatabase({ folder })).rejects.toThrow(`is in use by process ${process.pid}`)
    await database.close()
  })

  it('refuses a folder whose marker is missing or unreadable, and leaves it untouched', async () => {
    const marker = join(folder, 'marker.json')
    rmSync(marker)
    await expect(openDatabase({ folder })).rejects.toThrow('marker file (marker.json) is missing')
    writeFileSync(marker, '{"state":')
    await expect(openDatabase({ folder })).rejects.toThrow('marker file (marker.json) is unreadable')
    writeFileSync(marker, '{"state":"ready"}')
    await (await openDatabase({ folder })).close()
  })

  it('refuses a folder that has lost a file, rather than starting empty', async () => {
    const version = join(folder, 'database', 'PG_VERSION')
    rmSync(version)
    await expect(openDatabase({ folder, onDeath: noop })).rejects.toThrow('PG_VERSION is missing or empty')
    writeFileSync(version, '18\n')
    const wal = join(folder, 'database', 'pg_wal')
    for (const name of readdirSync(wal).filter((one) => /^[0-9A-F]{24}$/.test(one))) truncateSync(join(wal, name), 100)
    await expect(openDatabase({ folder, onDeath: noop })).rejects.toThrow('is damaged')
  })

  it('makes a database again whose first making was killed half way', () => {
    const half = mkdtempSync(join(tmpdir(), 'loupe-guard-'))
    mkdirSync(join(half, 'database'))
    writeFileSync(join(half, 'marker.json'), '{"state":"making"}')
    const held = guardFolder(half)
    expect(held.isNew).toBe(true)
    held.release()
    rmSync(half, { recursive: true, force: true })
  })
})
