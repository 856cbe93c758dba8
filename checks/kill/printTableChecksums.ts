import { FolderError } from '../../server/db/embedded/folderGuard.ts'
import { openDatabase } from '../../server/db/database.ts'
import { EXIT_READ_FAILED, readTables } from './tableChecksums.ts'

/** Opens the embedded database in the folder that the command names as a start does, prints what each table holds, and ends. */
try {
  const database = await openDatabase({ folder: process.argv[2] ?? '', onDeath: fail })
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
  process.exit(EXIT_READ_FAILED)
}
