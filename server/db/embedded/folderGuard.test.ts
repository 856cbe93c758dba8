import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../database.ts'
import { createTestFolder } from './folder.testing.ts'
import { guardFolder } from './folderGuard.ts'

const noop = () => undefined
/** Takes the folder's lock and holds it, or exits as the server would. */
const HOLD_LOCK_SCRIPT = `const { guardFolder } = await import(process.env.GUARD)
try { guardFolder(process.env.FOLDER) } catch (error) { process.exit(error.exitCode) }
console.log('held'); setInterval(() => {}, 1000)`

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

  it('lets one of eight processes in that start at once, and the next one when that is killed', async () => {
    const held: ChildProcess[] = []
    const codes = await Promise.all(
      Array.from({ length: 8 }, () => {
        const child = spawn(process.execPath, ['--input-type=module', '-e', HOLD_LOCK_SCRIPT], {
          env: { ...process.env, FOLDER: folder, GUARD: new URL('./folderGuard.ts', import.meta.url).href },
          stdio: ['ignore', 'pipe', 'ignore'],
        })
        return new Promise<number | null>((resolve) => {
          child.stdout.once('data', () => {
            held.push(child)
            resolve(0)
          })
          child.once('exit', resolve)
        })
      }),
    )
    expect(codes.sort()).toEqual([0, ...Array.from({ length: 7 }, () => 73)])
    const [holder] = held
    expect(() => guardFolder(folder)).toThrow(`is in use by process ${holder?.pid}`)
    const gone = new Promise((resolve) => holder?.once('exit', resolve))
    holder?.kill('SIGKILL')
    await gone
    guardFolder(folder).release()
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
