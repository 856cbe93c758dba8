import './umask.ts'
import { readFileSync } from 'node:fs'
import closeWithGrace from 'close-with-grace'
import pino from 'pino'
import { buildApp } from './app.ts'
import { FolderError } from './database/guard.ts'
import { open } from './database/database.ts'
import { keepSnapshots, SNAPSHOT_SIGNAL } from './database/hourly.ts'
import { EnvError, environmentWarnings, readEnv } from './env.ts'
import { placeOf } from './access/place.ts'
import { buildPlatform } from './platform/platform.ts'
import { openModel } from './platform/model/model.ts'
import { adoptBuiltin } from './vault/builtin.ts'
import { loadPlatformKeys } from './vault/platform-keys.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
const STOP_LIMIT = 25_000

try {
  await main()
} catch (error) {
  const isTold = error instanceof FolderError || error instanceof EnvError
  console.error(isTold ? error.message : error)
  process.exit(isTold ? error.exitCode : 1)
}

async function main(): Promise<void> {
  const env = readEnv(process.env)
  const log = pino({ level: env.LOG_LEVEL }, pino.destination(2))
  for (const warning of environmentWarnings(env)) log.warn(warning)
  const database = await open({
    url: env.DATABASE_URL,
    folder: env.DATA_DIR,
    snapshots: env.SNAPSHOTS,
    onDeath: (err) => {
      log.fatal({ err }, 'the embedded database has died')
      process.exit(1)
    },
  })

  const builtin = env.PLATFORM === 'builtin' ? loadPlatformKeys(env) : null
  const { isHost, isProxy } = placeOf({ ...env, HOST: env.PLATFORM_HOST, PUBLIC_URL: env.PLATFORM_PUBLIC_URL })
  const platform =
    builtin &&
    (await buildPlatform({
      database,
      keys: builtin,
      model: openModel({
        base_url: env.MODEL_BASE_URL,
        api_key: env.MODEL_API_KEY,
        name: env.MODEL_NAME,
        embedding_model: env.EMBEDDING_MODEL,
      }),
      log: log.child({ room: 'platform' }),
      version,
      isHost,
      isProxy,
      pace: env.RATE_LIMIT_FACTOR,
    }))
  const listening = await platform?.listen({ host: env.PLATFORM_HOST, port: env.PLATFORM_PORT })
  // `[::]` is where a server listens, not where it is reached.
  const platformAt = listening && `${listening.replace('//[::]:', '//[::1]:')}/v1`

  const dist = new URL('../dist', import.meta.url).pathname
  const { app, vault, link, look } = await buildApp({
    env,
    database,
    log,
    version,
    dist,
    platformAt,
  })
  if (builtin && platformAt) {
    const given = builtin.map(({ kind, label, value }) => ({ kind, label, key: value }))
    await vault.sealing.whenOpen(async () => {
      const credentials = await adoptBuiltin({ vault, database }, platformAt, given)
      void Promise.all(credentials.map(look))
    })
    if (vault.sealing.lock) log.error(vault.sealing.lock)
  }
  const consoleAt = await app.listen({ host: env.HOST, port: env.PORT, backlog: 16_384 })
  const snapshots = keepSnapshots({ database, folder: env.DATA_DIR, keep: env.SNAPSHOTS, log })

  closeWithGrace({ delay: STOP_LIMIT, logger: log, skip: [SNAPSHOT_SIGNAL] }, async ({ err }) => {
    if (err) log.fatal({ err }, 'stopping after an error')
    await app.close()
    await platform?.close()
    await snapshots.stop()
    await database.close()
  })

  console.log(`console   ${consoleAt}`)
  if (platformAt) console.log(`platform  ${platformAt}  (built-in)`)
  const token = await link()
  const foundAt = env.PUBLIC_URL === undefined ? consoleAt : new URL(env.PUBLIC_URL).origin
  console.log(`sign in   ${foundAt}/sign-in${token ? `#${token}` : ''}`)
}
