import { FolderError } from '../../server/database/guard.ts'
import { open } from '../../server/database/database.ts'
import { READING_FAILED, readTables } from './sums.ts'

/** Opens the embedded database in the folder that the command names as a start does, prints what each table holds, and ends. */
try {
  const database = await open({ folder: process.argv[2] ?? '', onDeath: fail })
  const sums = await readTables(database.pool).catch(fail)
  await database.close()
  console.log(JSON.stringify(sums))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(error instanceof FolderError ? error.exitCode : 1)
}

/** It was started, and says so when it is read. */
function fail(error: Error): never {
  console.error(error.message)
  process.exit(READING_FAILED)
}
