import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, openDatabase } from '../server/db/database.ts'

const MIGRATIONS = new URL('../server/db/migrations/', import.meta.url)
const RESULT_FILE = 'filled.json'

/**
 * Puts a filled database into a folder. To fill it takes minutes, so it is done once for a schema and the code that fills it,
 * kept in the temporary folder, and copied.
 * @param code the modules that decide what is written
 * @returns what `fill` has returned, which is JSON
 */
export async function copyFilledDatabase<Result>(
  folder: string,
  name: string,
  code: readonly URL[],
  fill: (database: Database) => Promise<Result>,
): Promise<Result> {
  const migrations = readdirSync(MIGRATIONS).filter((file) => file.endsWith('.sql'))
  const hash = createHash('sha256')
  for (const file of [...migrations.map((file) => new URL(file, MIGRATIONS)), ...code]) hash.update(readFileSync(file))
  const cachedFolder = join(tmpdir(), `loupe-bench-${name}-${hash.digest('hex').slice(0, 16)}`)
  if (!existsSync(cachedFolder)) {
    const made = mkdtempSync(join(tmpdir(), 'loupe-bench-'))
    const database = await openDatabase({ folder: made })
    try {
      writeFileSync(join(made, RESULT_FILE), JSON.stringify(await fill(database)))
    } finally {
      await database.close()
    }
    renameSync(made, cachedFolder)
  }
  for (const file of ['database', 'marker.json'])
    cpSync(join(cachedFolder, file), join(folder, file), { recursive: true })
  return JSON.parse(readFileSync(join(cachedFolder, RESULT_FILE), 'utf8')) as Result
}
