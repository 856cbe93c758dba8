import './umask.ts'
import pino from 'pino'
import { openDatabase } from './db/database.ts'
import { StartupError } from './db/startupError.ts'
import { environmentWarnings, parseEnv } from './env.ts'

try {
  await main()
} catch (error) {
  const isExpected = error instanceof StartupError
  console.error(isExpected ? error.message : error)
  process.exit(isExpected ? error.exitCode : 1)
}

async function main(): Promise<void> {
  const env = parseEnv(process.env)
  const log = pino({ level: env.LOG_LEVEL }, pino.destination(2))
  for (const warning of environmentWarnings(env)) log.warn(warning)
  const open = () =>
    openDatabase({
      url: env.DATABASE_URL,
      folder: env.DATA_DIR,
      snapshots: env.SNAPSHOTS,
      log,
      onDeath: (err) => {
        log.fatal({ err }, 'embedded database failed')
        process.exit(1)
      },
    })
  // The embedded database opens in its thread, or is created in a process, while this thread loads the other modules.
  // Connections to PostgreSQL would time out meanwhile.
  const opening = env.DATABASE_URL === undefined ? open() : null
  const [{ serve }] = await Promise.all([import('./serve.ts'), opening])
  await serve({ env, log, database: await (opening ?? open()) })
}
