import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Pool } from 'pg'
import { toDamagedError, guardFolder } from './folderGuard.ts'
import { ignorePoolErrors } from '../ignorePoolErrors.ts'
import { DatabaseThread } from './databaseThread.ts'

/** The longest path that a Unix socket may have on every system that Node runs on. */
const MAX_SOCKET_PATH_CHARS = 100

export interface EmbeddedDatabase {
  pool: Pool
  unboundedPool: Pool
  /** False if it was just created. */
  isExisting: boolean
  /** Copies its files into a folder that is not there yet, as a crash at this moment would leave them. */
  copy: (to: string) => Promise<void>
  close: () => Promise<void>
}

/**
 * Opens (or makes) the embedded database in `DATA_DIR/database`.
 * @throws FolderError when another process holds it, or when it is damaged; it is never made again over what is there.
 */
export async function openEmbedded(dataDir: string, onDeath: (error: Error) => void): Promise<EmbeddedDatabase> {
  // The driver takes a path only if it begins with a slash, and anything else for a host name.
  const folder = resolve(dataDir)
  const folderGuard = guardFolder(folder)
  const socketDir = socketFolder(folder)
  try {
    if (folderGuard.isNew) await createDatabase(folderGuard.database)
    const thread = await DatabaseThread.start(folderGuard.database, join(socketDir, '.s.PGSQL.5432'), onDeath)
    const pool = new Pool({ host: socketDir, database: 'postgres', user: 'postgres', max: 1, idleTimeoutMillis: 0 })
    ignorePoolErrors(pool)
    if (!folderGuard.isNew) await requireDatabaseFiles(pool, folderGuard.database)
    folderGuard.markReady()
    const close = async () => {
      await pool.end()
      await thread.close()
      removeSocket(socketDir, folder)
      folderGuard.release()
    }
    return { pool, unboundedPool: pool, isExisting: !folderGuard.isNew, copy: (to) => thread.copy(to), close }
  } catch (error) {
    removeSocket(socketDir, folder)
    folderGuard.release()
    throw error
  }
}

/** In DATA_DIR if that path is short enough, else in a folder of its own (0700 by mkdtemp). */
function socketFolder(folder: string): string {
  const path = join(folder, '.s.PGSQL.5432')
  if (path.length > MAX_SOCKET_PATH_CHARS) return mkdtempSync(join(tmpdir(), 'loupe-'))
  rmSync(path, { force: true })
  return folder
}

function removeSocket(socketDir: string, folder: string): void {
  if (socketDir === folder) rmSync(join(socketDir, '.s.PGSQL.5432'), { force: true })
  else rmSync(socketDir, { recursive: true, force: true })
}

/**
 * In a separate process: the 400 MB that creating a database takes would never be released by this one. Code is
 * compiled on its main thread: waiting for background compilation with an empty event loop can hang (nodejs/node
 * issue 54918).
 */
async function createDatabase(folder: string): Promise<void> {
  const script = fileURLToPath(new URL('./createDatabase.ts', import.meta.url))
  const flags = [...process.execArgv, '--no-concurrent-recompilation']
  await promisify(execFile)(process.execPath, [...flags, script, folder]).catch((error: Error) => {
    throw toDamagedError(folder, `it cannot be made (${error.message})`)
  })
}

/** Every table and index must have its file: PostgreSQL detects a missing one only on first read. */
async function requireDatabaseFiles(pool: Pool, folder: string): Promise<void> {
  const { rows } = await pool
    .query<{ path: string }>(
      `SELECT pg_relation_filepath(oid) AS path FROM pg_class WHERE relkind IN ('r', 'i', 't', 'S', 'm') AND pg_relation_filepath(oid) IS NOT NULL`,
    )
    .catch((error: Error) => {
      throw toDamagedError(folder, error.message)
    })
  const missingFile = rows.find(({ path }) => !existsSync(join(folder, path)))
  if (missingFile) throw toDamagedError(folder, `${missingFile.path} is missing`)
}
