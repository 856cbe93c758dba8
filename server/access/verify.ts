import { open } from '../database/database.ts'
import { FolderError } from '../database/guard.ts'
import { readEnv } from '../env.ts'
import { verifyAudit } from './audit.ts'

/** `npm run audit:verify`: reads the whole audit log; exit code 1 when a row is not what was written. */
try {
  const env = readEnv(process.env)
  const database = await open({ url: env.DATABASE_URL, folder: env.DATA_DIR })
  const { rows, head, wrong } = await verifyAudit(database.pool)
  await database.close()
  console.log(wrong ? `Row ${wrong.seq}: ${wrong.why}. ${rows} rows before it are whole.` : `${rows} rows are whole.`)
  console.log(`head ${head}`)
  process.exit(wrong ? 1 : 0)
} catch (error) {
  console.error(error instanceof FolderError ? error.message : error)
  process.exit(error instanceof FolderError ? error.exitCode : 1)
}
