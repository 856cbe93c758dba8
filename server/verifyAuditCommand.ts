import './umask.ts'
import { openDatabase } from './db/database.ts'
import { StartupError } from './db/startupError.ts'
import { parseEnv } from './env.ts'
import { MasterKeys } from './vault/masterKeys.ts'
import { KeyEncryption } from './vault/keyEncryption.ts'
import { type AuditVerification, verifyAudit } from './auth/audit/auditLog.ts'

/**
 * `npm run audit:verify`: verifies the audit log with the master key. Exit code 0 when every row is unaltered, 1 when
 * a row is altered or cannot be verified, 78 without a master key.
 */
const EXIT_CONFIG = 78

try {
  const env = parseEnv(process.env)
  const masters = new MasterKeys(env.MASTER_KEY, env.DATA_DIR)
  const database = await openDatabase({ url: env.DATABASE_URL, folder: env.DATA_DIR, snapshots: env.SNAPSHOTS })
  const verdict = await verifyAudit(database.pool, await new KeyEncryption(database, masters).auditKeys())
  await database.close()
  const isProven = verdict.rows === 0 || (verdict.keyed_from !== null && verdict.unproven.length === 0)
  for (const line of describeVerification(verdict, isProven)) console.log(line)
  if (masters.isEmpty && verdict.rows > 0) {
    console.error(
      `The audit log cannot be checked without the master key, and ${masters.source} is not there. ` +
        'Set MASTER_KEY, or set DATA_DIR to the folder of the server, whose secrets/master.key has it.',
    )
    process.exit(EXIT_CONFIG)
  }
  process.exit(verdict.firstInvalidRow === null && isProven ? 0 : 1)
} catch (error) {
  const isExpected = error instanceof StartupError
  console.error(isExpected ? error.message : error)
  process.exit(isExpected ? error.exitCode : 1)
}

function describeVerification(
  { rows, lastHash, firstInvalidRow, keyed_from, unproven }: AuditVerification,
  isProven: boolean,
): string[] {
  const range = (from: number, to: number) => (from === to ? `Row ${from}` : `Rows ${from} to ${to}`)
  return [
    ...(firstInvalidRow ? [`Row ${firstInvalidRow.seq}: ${firstInvalidRow.why}.`] : []),
    `${rows} rows ${firstInvalidRow ? 'before it ' : ''}${isProven ? 'are what was written' : 'follow one another'}.`,
    ...(keyed_from === null && rows > 0
      ? [
          'No row is keyed, so nothing is proven: start Loupe once, which keys what follows. If it has run, every row was written again.',
        ]
      : []),
    ...(keyed_from !== null && keyed_from > 1
      ? [`Rows before ${keyed_from} were written without a key: that row and any head noted elsewhere protect them.`]
      : []),
    ...unproven.map(({ from, to, key_id }) =>
      key_id === null
        ? `${range(from, to)}: written without a key, by a server without the master key or by somebody else.`
        : `${range(from, to)}: keyed with the master key ${key_id}, which is not here, so not checked.`,
    ),
    `head ${lastHash}`,
  ]
}
