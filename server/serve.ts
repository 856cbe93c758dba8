import { readFileSync } from 'node:fs'
import closeWithGrace from 'close-with-grace'
import type { Logger } from 'pino'
import { buildApp } from './app.ts'
import { BACKCHANNEL_LOGOUT_PATH } from './auth/signIn/openIdLogoutRoutes.ts'
import { compressInBackground, whenBrowserAppBuilt } from './browserApp/startBuild.ts'
import type { Database } from './db/database.ts'
import { startSnapshotSchedule, SNAPSHOT_SIGNAL } from './db/snapshots/snapshotSchedule.ts'
import { getDrainTimes } from './drain.ts'
import type { Env } from './env.ts'
import { resolvePublicOrigin } from './http/publicOrigin.ts'
import { buildPlatform } from './platform/platform.ts'
import { openModel } from './platform/model/model.ts'
import { ensureBuiltInWorkspace, loadBuiltInPlatformKeys } from './vault/builtInPlatformKeys.ts'
import { loadFileLinkSecret } from './vault/secretFile.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
/** Milliseconds for ending a server in addition to its drain. */
const CLOSE_TIMEOUT_MS = 25_000
const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** A terminal or process manager signals the whole group, and npm forwards the signal: the server gets it twice. */
const REPEATED_SIGNAL_MS = 5_000

/** Starts the built-in platform and the console on an open database, and prints their addresses once they respond. */
export async function serve({ env, log, database }: { env: Env; log: Logger; database: Database }): Promise<void> {
  const builtin = env.PLATFORM === 'builtin' ? loadBuiltInPlatformKeys(env) : null
  const { origin, isAllowedHost, isTrustedProxy } = resolvePublicOrigin({
    ...env,
    HOST: env.PLATFORM_HOST,
    PUBLIC_URL: env.PLATFORM_PUBLIC_URL,
  })
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
      log: log.child({ component: 'platform' }),
      version,
      linkSecret: loadFileLinkSecret(env),
      publicOrigin: origin,
      isHost: isAllowedHost,
      isProxy: isTrustedProxy,
      rateLimitFactor: env.RATE_LIMIT_FACTOR,
    }))
  const platformAddress = await platform?.listen({ host: env.PLATFORM_HOST, port: env.PLATFORM_PORT })
  // `[::]` is an address to listen on, not to connect to.
  const platformAt = platformAddress && `${platformAddress.replace('//[::]:', '//[::1]:')}/v1`

  await whenBrowserAppBuilt()
  const dist = new URL('../dist', import.meta.url).pathname
  const { app, vault, createLink, keyProbes, openId, drain } = await buildApp({
    env,
    database,
    log,
    version,
    dist,
    platformAt,
  })
  if (builtin && platformAt) {
    const builtInKeys = builtin.map(({ kind, label, value }) => ({ kind, label, key: value }))
    await vault.encryption.whenUnlocked(async () => {
      const credentials = await ensureBuiltInWorkspace({ vault, database }, platformAt, builtInKeys)
      // The result contains the app's mode, so that pages need not read it. Problems are in the health of the key.
      for (const credential of credentials)
        keyProbes.testKey(credential).catch((err: unknown) => log.warn({ err }, 'built-in key not tested'))
    })
    if (vault.encryption.lockReason) log.error(vault.encryption.lockReason)
  }
  const consoleAt = await app.listen({ host: env.HOST, port: env.PORT, backlog: 16_384 })
  const snapshots = startSnapshotSchedule({ database, folder: env.DATA_DIR, keep: env.SNAPSHOTS, log })

  const drainTimes = getDrainTimes(env)
  const delay = drainTimes.drainMs + drainTimes.stopTimeoutMs + CLOSE_TIMEOUT_MS
  const stop = closeWithGrace({ delay, logger: log, skip: [SNAPSHOT_SIGNAL, ...STOP_SIGNALS] }, async ({ err }) => {
    if (err) log.fatal({ err }, 'stopping after an error')
    else await drain(drainTimes)
    await app.close()
    await platform?.close()
    await snapshots.stop()
    await database.close()
  })
  let stoppingSince: number | null = null
  for (const signal of STOP_SIGNALS)
    process.on(signal, () => {
      if (stoppingSince === null) {
        stoppingSince = performance.now()
        void stop.close()
      } else if (performance.now() - stoppingSince > REPEATED_SIGNAL_MS) {
        log.error(`second ${signal}, exiting`)
        process.exit(1)
      }
    })

  console.log(`console   ${consoleAt}`)
  if (platformAt) console.log(`platform  ${platformAt}  (built-in)`)
  const token = await createLink()
  const publicUrl = env.PUBLIC_URL === undefined ? consoleAt : new URL(env.PUBLIC_URL).origin
  if (openId) {
    console.log(`callback  ${openId.provider.callbackUrl}  (redirect URI at ${openId.provider.name})`)
    console.log(`logout    ${publicUrl}${BACKCHANNEL_LOGOUT_PATH}  (back-channel logout URI)`)
  }
  console.log(`sign in   ${publicUrl}/sign-in${token ? `#${token}` : ''}`)
  compressInBackground()
}
