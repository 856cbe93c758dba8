import { randomUUID } from 'node:crypto'
import fastifyWebsocket from '@fastify/websocket'
import Fastify, { type FastifyInstance, LogController, type RouteOptions } from 'fastify'
import type { Logger } from 'pino'
import { toDatabaseAddress, listOwnAddresses, toServiceAddress } from './serviceAddresses.ts'
import { registerAccessControl } from './auth/accessControl.ts'
import { registerAccountRoutes } from './auth/accountRoutes.ts'
import { LoginThrottle } from './auth/signIn/loginThrottle.ts'
import { setAuditKeySource, recordKeyChange } from './auth/audit/auditLog.ts'
import { logAuditHead } from './auth/audit/auditHeadLog.ts'
import { SessionConnections } from './auth/sessionConnections.ts'
import { createSetupLink, hasAdminAccount } from './auth/signIn/signInLinks.ts'
import { PasswordHasher } from './auth/signIn/passwords.ts'
import { PeopleStore } from './auth/people.ts'
import { resolvePublicOrigin } from './http/publicOrigin.ts'
import { openIdProviderFromEnv } from './auth/signIn/openIdProvider.ts'
import { registerOpenIdRoutes } from './auth/signIn/openIdRoutes.ts'
import { listExternalIssuers } from './auth/signIn/externalIdentities.ts'
import { createProxyUserReader } from './auth/signIn/proxyUsers.ts'
import { registerPeopleRoutes } from './auth/peopleRoutes.ts'
import { registerSessionRoutes, type ToSession } from './auth/sessionRoutes.ts'
import { SessionStore, type SignedIn } from './auth/sessions.ts'
import { hasAccounts, SignInService } from './auth/signIn/signInService.ts'
import { registerAnnotationRoutes } from './annotations/routes.ts'
import { createAnnotationBatchKind } from './batches/annotationBatch.ts'
import { pauseBatches } from './batches/batchAccess.ts'
import { BatchStore } from './batches/batchStore.ts'
import { registerBatchExportRoute } from './batches/batchExport.ts'
import { BatchQueue } from './batches/batchQueue.ts'
import { registerBatchRoutes } from './batches/routes.ts'
import { createRunBatchKind } from './batches/runBatch.ts'
import type { Database } from './db/database.ts'
import { VacuumScheduler } from './db/vacuumScheduler.ts'
import { DriftRecorder } from './relay/driftRecorder.ts'
import { registerDriftRoutes } from './drift/routes.ts'
import { type Env, isLoopback } from './env.ts'
import { registerStatsRoutes } from './stats/routes.ts'
import { registerGauges } from './metricGauges.ts'
import { registerSavedItemRoutes } from './savedItems/routes.ts'
import { registerCallExportRoute } from './ledger/export/callExport.ts'
import { Ledger } from './ledger/ledger.ts'
import { registerLedgerRoutes } from './ledger/routes.ts'
import { registerRetentionRoutes } from './ledger/retention/retentionRoutes.ts'
import { RetentionJob } from './ledger/retention/retentionJob.ts'
import { ResourceStore } from './ledger/resources.ts'
import { registerBodyParsers } from './http/bodyParser.ts'
import { registerHealthRoutes } from './http/healthRoutes.ts'
import { registerLoopGuard } from './http/loopGuard.ts'
import { Metrics, createMetricsGuard } from './http/metrics.ts'
import { registerStaticFiles } from './http/staticFiles.ts'
import { registerErrorHandler, connectionErrorHandlers } from './http/errors.ts'
import { registerReadOnlyMode } from './http/readOnlyMode.ts'
import { registerSecurity } from './http/security.ts'
import { DialectDetector } from './relay/detection/dialect.ts'
import { createEgressPolicy } from './vault/egressPolicy.ts'
import { KeyExposureLog } from './relay/keyExposureLog.ts'
import { KeyHealth } from './relay/detection/keyHealth.ts'
import { assertKeyKind, detectPlatform } from './relay/detection/platformDetection.ts'
import { registerRelayRoutes } from './relay/relayRoutes.ts'
import { Capabilities } from './relay/detection/capabilities.ts'
import { UpstreamClient } from './relay/upstream/upstream.ts'
import { RunSubscriptions } from './runs/subscriptions/runSubscriptions.ts'
import { registerLiveSocket } from './runs/subscriptions/liveSocket.ts'
import { type ReadDiskStats, DiskSpaceMonitor } from './db/embedded/diskSpace.ts'
import { RemoteRunReader } from './runs/subscriptions/remoteRunReader.ts'
import { FrameWriter } from './runs/streaming/frameWriter.ts'
import { broadcastRunProgress } from './runs/subscriptions/runProgressBroadcast.ts'
import { registerGeneratingRoutes } from './runs/generatingRoutes.ts'
import { registerRunRoutes } from './runs/routes.ts'
import { RunExecutor } from './runs/runExecutor.ts'
import { ServerHeartbeat } from './runs/reconciliation/serverHeartbeat.ts'
import { RunReconciler } from './runs/reconciliation/runReconciler.ts'
import { MasterKeys } from './vault/masterKeys.ts'
import { registerVaultRoutes } from './vault/routes.ts'
import { type PlatformCredential, Vault } from './vault/vault.ts'

export interface BuiltConsole {
  app: FastifyInstance
  vault: Vault
  sessions: SessionStore
  /** Every route with its permission. */
  routes: readonly RouteOptions[]
  /** The token of a one-time sign-in link; null once an admin has an account. */
  createLink: () => Promise<string | null>
  retentionJob: RetentionJob
  /** Asks a platform what it offers, and waits a moment for it. */
  probeCapabilities: (credential: PlatformCredential) => Promise<void>
}

/** Milliseconds that a stop waits for the runs under way, and for what is still to be written. */
const STOP_TIMEOUT_MS = 5_000
const WRITE_TIMEOUT_MS = 2_000
/** Milliseconds that a new key waits for what its platform offers; a slow platform tells it later. */
const PROBE_TIMEOUT_MS = 2_000

/** The whole console, composed. Nothing listens yet; `app.close()` ends it within seconds, streams or not. */
export async function buildApp(options: {
  env: Env
  database: Database
  log: Logger
  version: string
  dist: string
  /** Where the built-in platform listens: reached whatever EGRESS_ALLOW says. */
  platformAt?: string | undefined
  readDisk?: ReadDiskStats | undefined
}): Promise<BuiltConsole> {
  const { env, database, log, version } = options
  const { pool, messageBus } = database
  const server_id = randomUUID()
  const publicOrigin = resolvePublicOrigin(env)
  const loopbackOnly = isLoopback(env.HOST)
  // What listens on the loopback alone is for others too when a proxy leads them there.
  const isLocalOnly =
    loopbackOnly && (publicOrigin.origin === null || isLoopback(new URL(publicOrigin.origin).hostname))
  const readProxyUser = createProxyUserReader(env, publicOrigin)
  const provider = openIdProviderFromEnv(env)

  const egressPolicy = createEgressPolicy({
    loopbackOnly,
    allow: env.EGRESS_ALLOW,
    own: options.platformAt,
    never: () => [
      ...listOwnAddresses(app, env.HOST),
      ...(publicOrigin.origin ? [toServiceAddress(new URL(publicOrigin.origin))] : []),
      ...(env.DATABASE_URL ? [toDatabaseAddress(env.DATABASE_URL)] : []),
    ],
  })
  const vault = new Vault(database, new MasterKeys(env.MASTER_KEY, env.DATA_DIR), egressPolicy.requireAllowedUrl)
  await vault.encryption.checkLock()
  const sessions = new SessionStore(pool, messageBus)
  setAuditKeySource(pool, vault.encryption.auditKey)
  const passwords = new PasswordHasher()
  const loginThrottle = new LoginThrottle(pool)
  const signIns = new SignInService({
    database,
    sessions,
    passwords,
    loginThrottle,
    setupToken: env.SETUP_TOKEN,
    providerName: provider?.name ?? null,
    pauseBatches,
    proxyRole: env.PROXY_ROLE,
  })
  // The server's link is enough as long as nobody but this machine can open it, and nobody has an account.
  const needsPassword = async ({ method, has_account }: SignedIn) =>
    !has_account && (method === 'invitation' || (method === 'link' && !(isLocalOnly && !(await hasAccounts(pool)))))
  const toSession: ToSession = async (found) => ({
    person: found.person,
    expires_at: found.expires_at.toISOString(),
    version,
    has_account: found.has_account,
    needs_account: await needsPassword(found),
  })
  const sessionConnections = new SessionConnections(messageBus)
  const { closeEverywhere } = sessionConnections
  const keyExposureLog = new KeyExposureLog({ database, vault, log })
  const upstream = new UpstreamClient(egressPolicy, { server_id, onExposure: keyExposureLog.report })
  const metrics = new Metrics()
  const ledger = new Ledger(pool, ({ status, problem }) =>
    metrics.callsEnded.inc({ status, problem: problem?.kind ?? 'none' }),
  )
  const resources = new ResourceStore(pool, (err) => log.error({ err }, 'record resources failed'))
  const driftRecorder = new DriftRecorder(pool, (err) => log.error({ err }, 'record drift failed'))
  const remoteRuns = new RemoteRunReader(ledger, messageBus)
  const subscriptions = new RunSubscriptions({ ledger, remoteRuns }, sessionConnections)
  const reconciler = new RunReconciler({ ledger, vault, upstream, driftRecorder, log, server_id })
  const keyHealth = new KeyHealth((key_id, problem, latency) => vault.recordKeyHealth(key_id, problem, latency))
  const frameWriter = new FrameWriter(pool, metrics)
  const diskSpace = new DiskSpaceMonitor(env.DATA_DIR, options.readDisk)
  const executor = new RunExecutor({
    diskSpace,
    keyHealth,
    server_id,
    ledger,
    resources,
    driftRecorder,
    writer: frameWriter,
    upstream,
    reconciler,
    log,
  })
  broadcastRunProgress(executor, messageBus)
  const dialectDetector = new DialectDetector(vault)
  const capabilities = new Capabilities({
    pool,
    upstream,
    resources,
    hearing: dialectDetector,
    health: keyHealth,
  })
  const probeCapabilities = (credential: PlatformCredential) =>
    Promise.race([
      capabilities.probe(credential).catch((err: unknown) => log.debug({ err }, 'probe capabilities failed')),
      new Promise<void>((resolve) => setTimeout(resolve, PROBE_TIMEOUT_MS).unref()),
    ])
  const batchStore = new BatchStore(database)
  const batchHandlers = {
    run: createRunBatchKind({ vault, executor, ledger }),
    annotations: createAnnotationBatchKind({ server_id, pool, vault, upstream, ledger, resources, driftRecorder }),
  }
  const batchQueue = new BatchQueue({ server_id, database, batches: batchStore, kinds: batchHandlers, log })
  const retentionJob = new RetentionJob({ database, log })
  const isQuiet = () => executor.liveRuns.size === 0 && pool.waitingCount === 0
  const vacuumScheduler = new VacuumScheduler({ database, log, isQuiet })
  const heartbeat = new ServerHeartbeat({ server_id, database, ledger, vault, upstream, driftRecorder, log })

  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: env.TRUSTED_PROXY === '' ? false : publicOrigin.isTrustedProxy,
    genReqId: () => randomUUID(),
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    requestTimeout: 10 * 60_000,
    // What stood open when a server died is settled before the next one is ready. On a busy machine that takes its time.
    pluginTimeout: 0,
    bodyLimit: 1024 * 1024,
    // Ids that are no UUID may have 128 characters.
    routerOptions: { maxParamLength: 256 },
    ...connectionErrorHandlers,
  }) as unknown as FastifyInstance
  app.decorate('rateLimitFactor', env.RATE_LIMIT_FACTOR)
  await app.register(fastifyWebsocket, { options: { maxPayload: 16 * 1024 } })
  registerBodyParsers(app)
  registerErrorHandler(app)
  registerSecurity(app, publicOrigin)
  registerLoopGuard(app, { server_id, pool })
  const routes = await registerAccessControl(app, {
    pool,
    sessions,
    needsPassword,
    readProxyUser,
    issuers: listExternalIssuers(env),
  })
  registerSessionRoutes(app, { signIns, readProxyUser, toSession, endConnections: closeEverywhere })
  const batchesPaused = (ids: readonly string[]) => batchQueue.paused(ids)
  if (provider) registerOpenIdRoutes(app, { pool, provider, signIns, endConnections: closeEverywhere, batchesPaused })
  registerAccountRoutes(app, {
    database,
    sessions,
    signIns,
    passwords,
    loginThrottle,
    toSession,
    endConnections: closeEverywhere,
  })
  registerPeopleRoutes(app, {
    pool,
    people: new PeopleStore(database, pauseBatches),
    sessions,
    endConnections: closeEverywhere,
    batchesPaused,
  })
  registerReadOnlyMode(app, { vault: vault.encryption, diskSpace })
  const detect = (given: Parameters<typeof detectPlatform>[0]) =>
    detectPlatform(given, { upstream, check: egressPolicy.requireAllowedUrl })
  registerVaultRoutes(app, vault, detect, (given) => assertKeyKind(given, upstream), {
    look: probeCapabilities,
    survey: (credential) => capabilities.probe(credential),
  })
  registerLedgerRoutes(app, { database, resources, ledger })
  registerRetentionRoutes(app, { database, retentionJob })
  registerCallExportRoute(app, { database, ledger, vault, version })
  registerSavedItemRoutes(app, pool)
  registerStatsRoutes(app, database)
  registerDriftRoutes(app, pool, driftRecorder)
  registerLiveSocket(app, { ledger, executor, subscriptions, connections: sessionConnections })
  registerRunRoutes(app, { database, ledger, executor, subscriptions, reconciler })
  registerAnnotationRoutes(app, { pool, vault, resources })
  registerBatchRoutes(app, { pool, batches: batchStore, queue: batchQueue, vault })
  registerBatchExportRoute(app, { batches: batchStore, database, kindOf: batchQueue.getHandler })
  registerRelayRoutes(app, {
    pool,
    vault,
    upstream,
    ledger,
    resources,
    driftRecorder,
    capabilities,
    keyHealth,
    dialectDetector,
    server_id,
  })
  registerGeneratingRoutes(app, { pool, vault, ledger, executor, subscriptions, remoteRuns })
  registerGauges(metrics, {
    database,
    folder: env.DATA_DIR,
    executor,
    subscriptions,
    remoteRuns,
    frameWriter,
    batchQueue,
  })
  metrics.registerRoute(app, createMetricsGuard(env, publicOrigin))
  registerHealthRoutes(app, { databaseService: heartbeat, encryption: vault.encryption })
  await registerStaticFiles(app, options.dist)

  let stopHeadLog = () => {}
  app.addHook('onReady', async () => {
    // A PostgreSQL server watches its own disk.
    if (database.kind === 'pglite') await diskSpace.start()
    stopHeadLog = logAuditHead({ pool, log })
    await vault.encryption.whenUnlocked(async () => {
      const key = vault.encryption.auditKey()
      const change = key && (await recordKeyChange(database, key))
      if (change) log.warn(change, 'audit chain continues with another key')
      await heartbeat.start()
      await batchQueue.start()
      retentionJob.start()
      sessionConnections.startChecking(pool, (err) => log.error({ err }, 'check sessions failed'))
      vacuumScheduler.start()
    })
  })
  app.addHook('preClose', async () => {
    stopHeadLog()
    heartbeat.stop()
    diskSpace.stop()
    batchQueue.stop()
    retentionJob.stop()
    sessionConnections.stopChecking()
    vacuumScheduler.stop()
    const runsStopped = executor.close(STOP_TIMEOUT_MS)
    subscriptions.close()
    await runsStopped
    const pendingWrites = Promise.all(
      [resources, driftRecorder, keyExposureLog, batchQueue, retentionJob, vacuumScheduler].map((one) =>
        one.whenIdle(),
      ),
    )
    await Promise.race([
      pendingWrites
        .then(() => heartbeat.deregister())
        .catch((err: unknown) => log.error({ err }, 'deregister server failed')),
      new Promise((resolve) => setTimeout(resolve, WRITE_TIMEOUT_MS).unref()),
    ])
  })
  const createLink = async () => ((await hasAdminAccount(pool)) ? null : createSetupLink(database))
  return { app, vault, sessions, routes, createLink, retentionJob, probeCapabilities }
}
