import './umask.ts'
import { ADVISORY_LOCKS } from './db/advisoryLocks.ts'
import { openDatabase } from './db/database.ts'
import { describeServer, findLiveServers, waitWhileLive } from './db/liveServers.ts'
import { StartupError } from './db/startupError.ts'
import { parseEnv } from './env.ts'
import { storeFingerprint } from './vault/masterKeyFingerprint.ts'
import { KeyEncryption } from './vault/keyEncryption.ts'
import { MasterKeys } from './vault/masterKeys.ts'

/**
 * `npm run master:adopt`: makes the master key of this environment the one of a shared database whose own key is
 * lost. What was sealed with the lost key must be entered again. No server may be running.
 */
try {
  const env = parseEnv(process.env)
  if (env.DATABASE_URL === undefined)
    throw new StartupError('The embedded database uses the master key of its folder. This command is for DATABASE_URL.')
  const database = await openDatabase({ url: env.DATABASE_URL, folder: env.DATA_DIR })
  const masterKeys = new MasterKeys(env.MASTER_KEY, env.DATA_DIR)
  await database.withAdvisoryLock(ADVISORY_LOCKS.serverStart, async () => {
    const live = await waitWhileLive(() => findLiveServers(database.pool))
    if (live.length > 0)
      throw new StartupError(`Stop these servers first:\n${live.map((one) => `  ${describeServer(one)}`).join('\n')}`)
    await storeFingerprint(database.pool, masterKeys)
  })
  const unreadable = await new KeyEncryption(database, masterKeys).countUnreadableKeys()
  await database.close()
  console.log(`The master key of ${masterKeys.source} is now the one of this database.`)
  if (unreadable > 0)
    console.log(`${unreadable} platform keys must be entered again; until then the console can only be read.`)
  process.exit(0)
} catch (error) {
  const isExpected = error instanceof StartupError
  console.error(isExpected ? error.message : error)
  process.exit(isExpected ? error.exitCode : 1)
}
