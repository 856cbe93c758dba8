import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Pool } from 'pg'
import { damaged, guard } from './guard.ts'
import { outlive } from './outlive.ts'
import { DatabaseThread } from './thread.ts'

/** The longest path that a Unix socket may have on every system that Node runs on. */
const SOCKET_PATH_LIMIT = 100

export interface Embedded {
  pool: Pool
  /** The same: there is one connection. */
  patient: Pool
  /** False when it was just made. */
  old: boolean
  /** Copies its files into a folder that is not there yet, as a crash at this moment would leave them. */
  copy: (to: string) => Promise<void>
  close: () => Promise<void>
}

/**
 * Opens (or makes) the embedded database in `DATA_DIR/database`.
 * @throws FolderError when another process holds it, or when it is damaged; it is never made anew over what is there.
 */
export async function openEmbedded(given: string, onDeath: (error: Error) => void): Promise<Embedded> {
  // The driver takes only what begins with a slash for a place of the file system, and anything else for a host.
  const folder = resolve(given)
  const held = guard(folder)
  const place = socketFolder(folder)
  try {
    if (held.fresh) await make(held.database)
    const thread = await DatabaseThread.start(held.database, join(place, '.s.PGSQL.5432'), onDeath)
    const pool = new Pool({ host: place, database: 'postgres', user: 'postgres', max: 1, idleTimeoutMillis: 0 })
    outlive(pool)
    if (!held.fresh) await demandFiles(pool, held.database)
    held.ready()
    const close = async () => {
      await pool.end()
      await thread.close()
      leave(place, folder)
      held.release()
    }
    return { pool, patient: pool, old: !held.fresh, copy: (to) => thread.copy(to), close }
  } catch (error) {
    leave(place, folder)
    held.release()
    throw error
  }
}

/** In DATA_DIR where its path is short enough, else in a folder of its own (made 0700 by mkdtemp). */
function socketFolder(folder: string): string {
  const path = join(folder, '.s.PGSQL.5432')
  if (path.length > SOCKET_PATH_LIMIT) return mkdtempSync(join(tmpdir(), 'loupe-'))
  rmSync(path, { force: true })
  return folder
}

function leave(place: string, folder: string): void {
  if (place === folder) rmSync(join(place, '.s.PGSQL.5432'), { force: true })
  else rmSync(place, { recursive: true, force: true })
}

/** In a process of its own: what making a database takes (400 MB) would stay with this one as long as it lives. */
async function make(folder: string): Promise<void> {
  const script = fileURLToPath(new URL('./make.ts', import.meta.url))
  await promisify(execFile)(process.execPath, [...process.execArgv, script, folder]).catch((error: Error) => {
    throw damaged(folder, `it cannot be made (${error.message})`)
  })
}

/** Every table and index must have its file: PostgreSQL finds a lost one only when it is first read. */
async function demandFiles(pool: Pool, folder: string): Promise<void> {
  const { rows } = await pool
    .query<{ path: string }>(
      `SELECT pg_relation_filepath(oid) AS path FROM pg_class WHERE relkind IN ('r', 'i', 't', 'S', 'm') AND pg_relation_filepath(oid) IS NOT NULL`,
    )
    .catch((error: Error) => {
      throw damaged(folder, error.message)
    })
  const lost = rows.find(({ path }) => !existsSync(join(folder, path)))
  if (lost) throw damaged(folder, `${lost.path} is missing`)
}
