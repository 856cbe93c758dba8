import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import pino from 'pino'
import { Header, type HeaderData } from 'tar'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from '../database.ts'
import { createTestFolder } from '../embedded/folder.testing.ts'
import { startSnapshotSchedule } from './snapshotSchedule.ts'
import { restoreSnapshot } from './restoreSnapshot.ts'
import { copyDatabase, listSnapshots, type Snapshot, snapshotFolder, takeSnapshot } from './snapshots.ts'

const log = pino({ level: 'silent' })
const NOW = new Date('2026-11-21T10:20:30Z')

describe('snapshots of the embedded database', () => {
  let folder = ''
  beforeEach(async () => {
    folder = await createTestFolder()
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const write = (token: string) => `INSERT INTO sign_in_links(token, expires_at) VALUES ('${token}', now())`
  const tokens = async () => {
    const database = await openDatabase({ folder })
    const { rows } = await database.pool.query<{ token: string }>('SELECT token FROM sign_in_links ORDER BY token')
    await database.close()
    return rows.map(({ token }) => token)
  }

  it('are taken while it is written to, and bring back what stood then', async () => {
    const database = await openDatabase({ folder })
    const keeper = startSnapshotSchedule({ database, folder, keep: 2, log })
    await database.pool.query(write('before'))
    const writing = Array.from({ length: 20 }, (_, index) => database.pool.query(write(`while-${index}`)))
    const snapshot = (await keeper.take()) as Snapshot
    await Promise.all(writing)
    await database.pool.query(write('later'))
    await keeper.stop()
    await database.close()

    expect(statSync(snapshot.path).mode & 0o777).toBe(0o600)
    const aside = await restoreSnapshot(folder, snapshot, NOW)
    expect(aside).toBe(join(folder, 'database.before-2026-11-21T10-20-30Z'))
    const back = await tokens()
    expect(back).toContain('before')
    expect(back).not.toContain('later')
    expect(existsSync(join(String(aside), 'PG_VERSION'))).toBe(true)
  })

  it('are the newest so many; what a killed one left is swept away', async () => {
    mkdirSync(snapshotFolder(folder))
    for (const left of ['2026-11-20T00-00-00Z.tar.gz.part', 'half-made'])
      writeFileSync(join(snapshotFolder(folder), left), '')
    for (const hour of [1, 2, 3])
      await takeSnapshot(folder, (to) => copyDatabase(folder, to), 2, new Date(NOW.getTime() + hour * 3_600_000))
    expect(readdirSync(snapshotFolder(folder)).sort()).toEqual([
      '2026-11-21T12-20-30Z.tar.gz',
      '2026-11-21T13-20-30Z.tar.gz',
    ])
    expect(listSnapshots(folder)[0]?.taken).toEqual(new Date('2026-11-21T13:20:30Z'))
  })

  it('are not restored under a running Loupe nor when they are cut short, and restore a folder whose database is damaged', async () => {
    const snapshot = await takeSnapshot(folder, (to) => copyDatabase(folder, to), 1, NOW)
    const database = await openDatabase({ folder })
    await expect(restoreSnapshot(folder, snapshot, NOW)).rejects.toThrow('is in use by process')
    await database.close()
    const path = `${snapshot.path}.cut`
    copyFileSync(snapshot.path, path)
    truncateSync(path, Math.floor(snapshot.size / 2))
    await expect(restoreSnapshot(folder, { ...snapshot, path }, NOW)).rejects.toThrow('Nothing was changed')
    expect(await tokens()).toEqual([])

    rmSync(join(folder, 'database', 'PG_VERSION'))
    await expect(openDatabase({ folder })).rejects.toThrow('is damaged')
    await restoreSnapshot(folder, snapshot, NOW)
    expect(await tokens()).toEqual([])
  })

  it.each<[string, HeaderData, string]>([
    ['a symbolic link', { path: 'database/a', type: 'SymbolicLink', linkpath: 'PG_VERSION' }, 'no file of a database'],
    ['a hard link', { path: 'database/a', type: 'Link', linkpath: 'database/PG_VERSION' }, 'no file of a database'],
    ['a pipe', { path: 'database/a', type: 'FIFO' }, 'no file of a database'],
    ['a path above', { path: 'database/../../a' }, "contains '..'"],
    ['an absolute path', { path: '/tmp/a' }, 'no file of a database'],
    ['a master key', { path: 'secrets/master.key' }, 'no file of a database'],
    ['more than the disk holds', { path: 'database/a', size: 2 ** 50 }, 'does not fit on the disk'],
  ])('that hold %s are not restored', async (_what, entry, reason) => {
    const [name, size] = ['2026-11-21T10-20-30Z.tar.gz', 1536]
    const snapshot: Snapshot = { name, path: join(snapshotFolder(folder), name), kind: 'scheduled', taken: NOW, size }
    mkdirSync(snapshotFolder(folder))
    const header = new Header({ mode: 0o600, size: 0, mtime: NOW, type: 'File', ...entry })
    header.encode()
    writeFileSync(snapshot.path, Buffer.concat([header.block ?? Buffer.of(), Buffer.alloc(1024)]))
    await expect(restoreSnapshot(folder, snapshot, NOW)).rejects.toThrow(new RegExp(`${reason}.*Nothing was changed`))
    expect(readdirSync(snapshotFolder(folder))).toEqual([name])
  })

  it('are taken before a migration unless they are off, and hourly ones do not push them out', async () => {
    const before = await openDatabase({ folder, snapshots: 3 })
    expect(listSnapshots(folder)).toEqual([])
    await before.pool.query(write('before'))
    await before.pool.query('TRUNCATE drizzle.__drizzle_migrations')
    await before.close()
    // The first migration is made again, and meets its own tables.
    await expect(openDatabase({ folder })).rejects.toThrow()
    expect(listSnapshots(folder)).toEqual([])
    await expect(openDatabase({ folder, snapshots: 3 })).rejects.toThrow()
    const [upgrade] = listSnapshots(folder)
    expect(upgrade?.name).toMatch(/Z-before-upgrade\.tar\.gz$/)
    for (const hour of [1, 2])
      await takeSnapshot(folder, (to) => copyDatabase(folder, to), 1, new Date(Date.now() + hour * 3_600_000))
    expect(listSnapshots(folder).map(({ kind }) => kind)).toEqual(['scheduled', 'before_upgrade'])
    expect(listSnapshots(folder)).toContainEqual(upgrade)
  })

  it('cannot help an older Loupe, which says so', async () => {
    const database = await openDatabase({ folder })
    await database.pool.query(
      `INSERT INTO drizzle.__drizzle_migrations(hash, created_at) SELECT 'newer', max(created_at) + 1 FROM drizzle.__drizzle_migrations`,
    )
    await database.close()
    await expect(openDatabase({ folder })).rejects.toThrow('written by a newer Loupe')
  })
})
