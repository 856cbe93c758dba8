import { randomUUID } from 'node:crypto'
import fastifyWebsocket from '@fastify/websocket'
import Fastify, { type FastifyInstance, LogController, type RouteOptions } from 'fastify'
import { recordKeyChange, logAuditHead } from './auth/audit/auditLog.ts'
import { adoptSavedBoards } from './batches/savedBoards.ts'
import { createSetupLink, hasAdminAccount } from './auth/signIn/signInLinks.ts'
import type { SessionStore } from './auth/sessions.ts'
import type { BackgroundJob } from './jobs/backgroundJob.ts'
import type { RetentionJob } from './ledger/retention/retentionJob.ts'
import { connectionErrorHandlers } from './http/errors.ts'
import type { KeyProbes } from './vault/routes.ts'
import type { Vault } from './vault/vault.ts'
import type { WebhookService } from './webhooks/webhookService.ts'
import {
  createConsoleContext,
  createVault,
  createSignInServices,
  createRunServices,
  createBatchServices,
  createBackgroundJobs,
  createOpenIdServices,
  type ConsoleContext,
  type ConsoleServices,
  type ConsoleOptions,
  type OpenIdServices,
} from './consoleServices.ts'
import { createDrain, type DrainTimes } from './drain.ts'
import type { RunResumption } from './runs/resumption/runResumption.ts'
import { registerServer } from './servers/registerServer.ts'
import { registerConsoleRoutes } from './consoleRoutes.ts'

export interface BuiltConsole {
  app: FastifyInstance
  vault: Vault
  sessions: SessionStore
  routes: readonly RouteOptions[]
  /** The token of a one-time sign-in link; null once an admin has an account. */
  createLink: () => Promise<string | null>
  retentionJob: RetentionJob
  keyProbes: KeyProbes
  webhooks: WebhookService
  resumption: RunResumption
  /** What a server does between the signal to stop and `app.close()`, so that nothing is cut. */
  drain: (times: DrainTimes) => Promise<void>
  openId: OpenIdServices['openId']
}

/** Milliseconds that a shutdown without a drain waits for active runs, and any shutdown for pending writes. */
const STOP_TIMEOUT_MS = 5_000
const WRITE_TIMEOUT_MS = 2_000

/** The composed console. It does not listen yet; `app.close()` stops it within seconds, even with open streams. */
export async function buildApp(options: ConsoleOptions): Promise<BuiltConsole> {
  const context = createConsoleContext(options)
  const { env, database } = context
  const app = createServer(context)
  const vaultServices = createVault(context, app)
  const { vault } = vaultServices
  const signInServices = createSignInServices(context, vault)
  const runServices = createRunServices(context, app, vaultServices, signInServices.sessionConnections)
  await registerServer({ ...vaultServices, database, encryption: vault.encryption, lease: runServices.lease })
  await vault.encryption.checkLock()
  const batchServices = createBatchServices(context, vault, runServices)
  const backgroundJobs = createBackgroundJobs(context, vault, runServices)
  const openIdServices = createOpenIdServices(context, vault, signInServices, batchServices)
  const services = {
    ...vaultServices,
    ...signInServices,
    ...runServices,
    ...batchServices,
    ...backgroundJobs,
    ...openIdServices,
  }

  app.decorate('rateLimitFactor', env.RATE_LIMIT_FACTOR)
  await app.register(fastifyWebsocket, {
    options: { maxPayload: 16 * 1024 },
    // A broken frame is the client's fault.
    errorHandler: (err, socket, request) => {
      request.log.debug({ err }, 'WebSocket failed')
      socket.terminate()
    },
  })
  const { executor, batchQueue } = services
  const drain = createDrain(app, {
    state: context.serverState,
    executor,
    handOver: () => {
      batchQueue.stop()
      services.resumption.handOver()
      services.openId?.sessionCheck.stop()
    },
    log: context.log,
  })
  const routes = await registerConsoleRoutes(app, context, services)
  registerLifecycle(app, context, services)

  const createLink = async () => ((await hasAdminAccount(database.pool)) ? null : createSetupLink(database))
  const { retentionJob, keyProbes, webhooks, resumption, openId } = services
  return {
    app,
    vault,
    sessions: services.sessions,
    routes,
    createLink,
    retentionJob,
    keyProbes,
    webhooks,
    resumption,
    openId,
    drain,
  }
}

function createServer({ env, log, publicOrigin }: ConsoleContext): FastifyInstance {
  return Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: env.TRUSTED_PROXY === '' ? false : publicOrigin.isTrustedProxy,
    genReqId: () => randomUUID(),
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    // Requests that come while the server closes are answered like all others.
    return503OnClosing: false,
    requestTimeout: 10 * 60_000,
    // Open runs of a crashed server are reconciled before the next one is ready, which takes time on a busy machine.
    pluginTimeout: 0,
    bodyLimit: 1024 * 1024,
    // Ids that are no UUID may have 128 characters.
    routerOptions: { maxParamLength: 256 },
    ...connectionErrorHandlers,
  }) as unknown as FastifyInstance
}

/** Starts the background jobs once the app is ready, and stops them before the app is closed. */
function registerLifecycle(
  app: FastifyInstance,
  { database, log, serverState }: ConsoleContext,
  services: ConsoleServices,
): void {
  const { pool } = database
  const { vault, sessionConnections, diskSpace, executor, subscriptions, resources, driftRecorder, keyExposureLog } =
    services
  const { batchQueue, retentionJob, vacuumScheduler, heartbeat, pausedRunRecorder, webhooks, resumption, openId } =
    services
  const { lease, settingComparison, frameSealer, checkpointJob, scheduledAnswerSender, runRecalculation } = services
  const sessionCheck = sessionConnections.createCheck(pool, (err) => log.error({ err }, 'check sessions failed'))
  let headLog: BackgroundJob | null = null
  app.addHook('onReady', async () => {
    // A PostgreSQL server monitors its own disk.
    if (database.kind === 'pglite') await diskSpace.start()
    headLog = logAuditHead({ pool, log })
    await vault.encryption.whenUnlocked(async () => {
      const key = vault.encryption.auditKey()
      const change = key && (await recordKeyChange(database, key))
      if (change) log.warn(change, 'audit chain continues with another key')
      await heartbeat.start()
      resumption.start()
      await adoptSavedBoards(database)
      await batchQueue.start()
      retentionJob.start()
      frameSealer.start()
      runRecalculation.start()
      runRecalculation.runSoon()
      pausedRunRecorder.start()
      scheduledAnswerSender.start()
      webhooks.start()
      sessionCheck.start()
      openId?.sessionCheck.start()
      // A PostgreSQL server has its own autovacuum and checkpointer.
      if (database.kind === 'pglite') {
        vacuumScheduler.start()
        checkpointJob.start()
      } else {
        settingComparison.start()
        settingComparison.runSoon()
      }
    })
  })
  // The address is known from here on.
  app.addHook('onListen', () => lease.announce())
  app.addHook('preClose', async () => {
    headLog?.stop()
    heartbeat.stop()
    resumption.stop()
    diskSpace.stop()
    batchQueue.stop()
    retentionJob.stop()
    frameSealer.stop()
    runRecalculation.stop()
    sessionCheck.stop()
    settingComparison.stop()
    openId?.sessionCheck.stop()
    vacuumScheduler.stop()
    checkpointJob.stop()
    pausedRunRecorder.stop()
    scheduledAnswerSender.stop()
    const webhooksStopped = webhooks.close()
    const hasDrained = serverState.current === 'stopping'
    const runsStopped = executor.close(hasDrained ? 0 : STOP_TIMEOUT_MS)
    subscriptions.close()
    await runsStopped
    const writers = [
      ...(openId ? [openId.sessionCheck] : []),
      resources,
      driftRecorder,
      keyExposureLog,
      batchQueue,
      retentionJob,
      frameSealer,
      runRecalculation,
      vacuumScheduler,
      checkpointJob,
    ]
    const pendingWrites = Promise.all([
      ...[...writers, pausedRunRecorder, scheduledAnswerSender].map((one) => one.whenIdle()),
      webhooksStopped,
    ])
    await Promise.race([
      pendingWrites
        .then(() => heartbeat.deregister())
        .catch((err: unknown) => log.error({ err }, 'deregister server failed')),
      new Promise((resolve) => setTimeout(resolve, WRITE_TIMEOUT_MS).unref()),
    ])
  })
}
