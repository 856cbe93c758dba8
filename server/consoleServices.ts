import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { paths } from '#domain/paths.ts'
import { toDatabaseAddress, listOwnAddresses, toServiceAddress, createEgressPolicy } from './vault/egressPolicy.ts'
import { hasExternalIdentity } from './auth/signIn/externalIdentities.ts'
import { LoginThrottle } from './auth/signIn/loginThrottle.ts'
import { setAuditKeySource } from './auth/audit/auditLog.ts'
import { SessionConnections } from './auth/sessionConnections.ts'
import { PasswordHasher } from './auth/signIn/passwords.ts'
import { type PublicOrigin, resolvePublicOrigin } from './http/publicOrigin.ts'
import { type OpenIdProvider, openIdProviderFromEnv } from './auth/signIn/openIdProvider.ts'
import { OpenIdSessionCheck } from './auth/signIn/openIdSessionCheck.ts'
import { type EndedSessions, OpenIdSessions } from './auth/signIn/openIdSessions.ts'
import { createProxyUserReader, type ReadProxyUser } from './auth/signIn/proxyUsers.ts'
import type { ToSession } from './auth/sessionRoutes.ts'
import { SessionStore, type SignedIn } from './auth/sessions.ts'
import { hasAccounts, SignInService } from './auth/signIn/signInService.ts'
import { createAnnotationBatchKind } from './batches/annotationBatch.ts'
import { pauseBatches } from './batches/batchAccess.ts'
import { BatchStore } from './batches/batchStore.ts'
import { BatchQueue } from './batches/batchQueue.ts'
import { BoardRoundStore } from './batches/boardRounds.ts'
import { createRunJobKind } from './batches/runJobs.ts'
import { createBoardKind, createRunBatchKind } from './batches/runBatch.ts'
import type { Database } from './db/database.ts'
import { CheckpointJob } from './db/embedded/checkpointJob.ts'
import { VacuumScheduler } from './db/vacuumScheduler.ts'
import { createRequestClock } from './http/requestClock.ts'
import { DriftRecorder } from './relay/driftRecorder.ts'
import { type Env, isLoopback } from './env.ts'
import { Ledger } from './ledger/ledger.ts'
import { FrameSealer } from './ledger/frames/frameSealer.ts'
import { RetentionJob } from './ledger/retention/retentionJob.ts'
import { ResourceStore } from './ledger/resources.ts'
import { Metrics } from './http/metrics.ts'
import { DialectDetector } from './relay/detection/dialect.ts'
import { KeyExposureLog } from './relay/keyExposureLog.ts'
import { createKeyProbes } from './relay/detection/keyProbes.ts'
import { KeyHealth } from './relay/detection/keyHealth.ts'
import { Capabilities } from './relay/detection/capabilities.ts'
import { UpstreamClient } from './relay/upstream/upstream.ts'
import { RunSubscriptions } from './runs/subscriptions/runSubscriptions.ts'
import { type ReadDiskStats, DiskSpaceMonitor } from './db/embedded/diskSpace.ts'
import { RemoteRunReader, broadcastRunProgress } from './runs/subscriptions/remoteRunReader.ts'
import { FrameWriter } from './runs/streaming/frameWriter.ts'
import { RunExecutor } from './runs/runExecutor.ts'
import { FormService } from './runs/forms/formService.ts'
import { ScheduledAnswerSender } from './runs/forms/scheduledAnswerSender.ts'
import { PausedRunRecorder } from './runs/forms/waitingRuns.ts'
import { RunRecalculation } from './runs/recalculation/runRecalculation.ts'
import { ServerHeartbeat } from './runs/reconciliation/serverHeartbeat.ts'
import { RunResumption } from './runs/resumption/runResumption.ts'
import { ServerLease } from './runs/reconciliation/serverLease.ts'
import { ServerStatus } from './runs/reconciliation/serverStatus.ts'
import { RunReconciler } from './runs/reconciliation/runReconciler.ts'
import { createSettingFingerprints } from './servers/settingFingerprints.ts'
import { SettingComparison } from './servers/settingComparison.ts'
import { listFingerprints } from './vault/masterKeyFingerprint.ts'
import { MasterKeys } from './vault/masterKeys.ts'
import { ServerState } from './serverState.ts'
import { createExperimentBatchKind } from './suites/experimentBatch.ts'
import { ExperimentResults } from './suites/experimentResults.ts'
import { ExperimentStore } from './suites/experimentStore.ts'
import { FingerprintRecorder } from './suites/fingerprint/fingerprintRecorder.ts'
import { JudgeRuns } from './suites/judge/judgeRuns.ts'
import { createSweepBatchKind } from './suites/prediction/sweepBatch.ts'
import { SweepStore } from './suites/prediction/sweepStore.ts'
import { SuitePredictor } from './suites/prediction/suitePredictor.ts'
import { SuiteFileStore } from './suites/suiteFileStore.ts'
import { SuiteStore } from './suites/suiteStore.ts'
import { Vault } from './vault/vault.ts'
import { addWebhookEvent } from './webhooks/webhookOutbox.ts'
import { WebhookService } from './webhooks/webhookService.ts'

export interface ConsoleOptions {
  env: Env
  database: Database
  log: Logger
  version: string
  dist: string
  /** The address of the built-in platform: allowed regardless of EGRESS_ALLOW. */
  platformAt?: string | undefined
  readDisk?: ReadDiskStats | undefined
}

export interface ConsoleContext extends ConsoleOptions {
  server_id: string
  serverState: ServerState
  publicOrigin: PublicOrigin
  readProxyUser: ReadProxyUser
  provider: OpenIdProvider | null
}

type VaultServices = ReturnType<typeof createVault>
type SignInServices = ReturnType<typeof createSignInServices>
type RunServices = ReturnType<typeof createRunServices>
type BatchServices = ReturnType<typeof createBatchServices>
type BackgroundJobs = ReturnType<typeof createBackgroundJobs>
export type OpenIdServices = ReturnType<typeof createOpenIdServices>
export interface ConsoleServices
  extends VaultServices, SignInServices, RunServices, BatchServices, BackgroundJobs, OpenIdServices {}

export function createConsoleContext(options: ConsoleOptions): ConsoleContext {
  const { server_id } = options.database.messageBus
  const publicOrigin = resolvePublicOrigin(options.env)
  const readProxyUser = createProxyUserReader(options.env, publicOrigin)
  return {
    ...options,
    server_id,
    serverState: new ServerState(),
    publicOrigin,
    readProxyUser,
    provider: openIdProviderFromEnv(options.env),
  }
}

export function createVault({ env, database, publicOrigin, platformAt, log }: ConsoleContext, app: FastifyInstance) {
  const egressPolicy = createEgressPolicy({
    loopbackOnly: isLoopback(env.HOST),
    allow: env.EGRESS_ALLOW,
    own: platformAt,
    never: () => [
      ...listOwnAddresses(app, env.HOST),
      ...(publicOrigin.origin ? [toServiceAddress(new URL(publicOrigin.origin))] : []),
      ...(env.DATABASE_URL ? [toDatabaseAddress(env.DATABASE_URL)] : []),
    ],
  })
  const masterKeys = new MasterKeys(env.MASTER_KEY, env.DATA_DIR)
  const vault = new Vault(database, masterKeys, egressPolicy.requireAllowedUrl, log)
  return { egressPolicy, vault, masterKeys }
}

export function createSignInServices({ env, database, version, publicOrigin, provider }: ConsoleContext, vault: Vault) {
  const { pool, messageBus } = database
  // A server on the loopback is still reachable for others through a proxy.
  const isLocalOnly =
    isLoopback(env.HOST) && (publicOrigin.origin === null || isLoopback(new URL(publicOrigin.origin).hostname))
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
  // The link of a person leads to a new password, except where passwords are not used. The server's own link is
  // enough while only this machine can open it and nobody has an account.
  const needsPassword = async ({ method, has_account, person }: SignedIn) =>
    method === 'invitation'
      ? !(await hasExternalIdentity(pool, person.id))
      : !has_account && method === 'link' && !(isLocalOnly && !(await hasAccounts(pool)))
  const toSession: ToSession = async (found) => ({
    person: found.person,
    expires_at: found.expires_at.toISOString(),
    version,
    has_account: found.has_account,
    needs_account: await needsPassword(found),
  })
  const sessionConnections = new SessionConnections(messageBus)
  return { sessions, passwords, loginThrottle, signIns, needsPassword, toSession, sessionConnections }
}

export function createOpenIdServices(
  { database, provider, log }: ConsoleContext,
  vault: Vault,
  { sessions, sessionConnections }: SignInServices,
  { batchQueue }: BatchServices,
) {
  const announce = ({ ended, paused }: EndedSessions) => {
    sessionConnections.closeEverywhere(ended)
    batchQueue.paused(paused)
  }
  const createFor = (openIdProvider: OpenIdProvider) => {
    const openIdSessions = new OpenIdSessions({ database, sessions, encryption: vault.encryption, pauseBatches })
    const sessionCheck = new OpenIdSessionCheck({ provider: openIdProvider, openIdSessions, log, announce })
    return { provider: openIdProvider, openIdSessions, sessionCheck, announce }
  }
  return { openId: provider && createFor(provider) }
}

export function createRunServices(
  context: ConsoleContext,
  app: FastifyInstance,
  vaultServices: VaultServices,
  sessionConnections: SessionConnections,
) {
  const { env, database, log, server_id, serverState, readDisk } = context
  const { egressPolicy, vault, masterKeys } = vaultServices
  const { pool, messageBus } = database
  const keyExposureLog = new KeyExposureLog({ database, vault, log })
  const upstream = new UpstreamClient(egressPolicy, { server_id, onExposure: keyExposureLog.report })
  const metrics = new Metrics()
  const ledger = new Ledger(
    pool,
    ({ status, problem }) => {
      metrics.callsEnded.inc({ status, problem: problem?.kind ?? 'none' })
      if (status === 'paused') pausedRunRecorder.runSoon()
    },
    (call, err) => log.error({ err, call }, 'store call end failed, retrying'),
  )
  const { webhooks, pausedRunRecorder } = createAnnouncements(context, vaultServices, ledger)
  const resources = new ResourceStore(pool, (err) => log.error({ err }, 'record resources failed'))
  const driftRecorder = new DriftRecorder(pool, (err) => log.error({ err }, 'record drift failed'))
  const reconciler = new RunReconciler({ pool, ledger, vault, upstream, driftRecorder, log, server_id })
  const keyHealth = new KeyHealth((key_id, observation) => vault.recordKeyHealth(key_id, observation))
  const dialectDetector = new DialectDetector(vault)
  const capabilities = new Capabilities({ pool, upstream, resources, dialectDetector, keyHealth })
  const status: ServerStatus = new ServerStatus({
    serverState,
    version: context.version,
    readAddress: () => listOwnAddresses(app, env.HOST)[0] ?? null,
    countActiveRuns: () => executor.liveRuns.size,
    countOpenStreams: () => subscriptions.size,
    readFingerprints: () => ({
      master_keys: listFingerprints(masterKeys),
      settings: createSettingFingerprints(env, masterKeys.all),
    }),
  })
  const isShared = database.kind === 'postgresql'
  const lease = new ServerLease({ pool, server_id, isShared, status })
  const remoteRuns = new RemoteRunReader(ledger, messageBus, isShared ? lease : null)
  const subscriptions: RunSubscriptions = new RunSubscriptions({ ledger, remoteRuns }, sessionConnections)
  const frameWriter = new FrameWriter(pool, { metrics, lease })
  const diskSpace = new DiskSpaceMonitor(env.DATA_DIR, readDisk)
  const shared = { pool, log, server_id, vault, ledger, upstream, driftRecorder, capabilities, keyHealth }
  const executor = new RunExecutor({
    ...shared,
    diskSpace,
    resources,
    writer: frameWriter,
    reconciler,
    lease,
    serverState,
  })
  const resumption = new RunResumption({ ...shared, lease, executor, reconciler })
  const forms = new FormService({ ...shared, executor, resumption })
  const scheduledAnswerSender = new ScheduledAnswerSender({ pool, ledger, forms, log })
  broadcastRunProgress(executor, messageBus)
  const keyProbes = createKeyProbes({ ...shared, egressPolicy })
  return {
    keyExposureLog,
    upstream,
    metrics,
    ledger,
    resources,
    driftRecorder,
    remoteRuns,
    subscriptions,
    reconciler,
    keyHealth,
    frameWriter,
    diskSpace,
    executor,
    lease,
    status,
    resumption,
    dialectDetector,
    capabilities,
    keyProbes,
    webhooks,
    pausedRunRecorder,
    forms,
    scheduledAnswerSender,
  }
}

function createAnnouncements(
  { database, log, publicOrigin }: ConsoleContext,
  { egressPolicy, vault }: VaultServices,
  ledger: Ledger,
) {
  const webhooks = new WebhookService({ database, vault, egressPolicy, log })
  const pausedRunRecorder = new PausedRunRecorder({
    database,
    ledger,
    log,
    toRunUrl: ({ id, workspace_id }) => (publicOrigin.origin ?? '') + paths.run(id, { workspace: workspace_id }),
    onEvent: () => webhooks.runSoon(),
  })
  vault.onKeyRefused = async (client, { workspace_id, key_id, label, kind }) => {
    await addWebhookEvent(client, workspace_id, 'key.refused', { app: { id: key_id, label, kind } })
  }
  return { webhooks, pausedRunRecorder }
}

export function createBatchServices(
  { database, log, server_id }: ConsoleContext,
  vault: Vault,
  runServices: RunServices,
) {
  const { pool } = database
  const { executor, ledger, upstream, lease } = runServices
  const batchStore = new BatchStore(database, ledger)
  const rowCallDeps = { ...runServices, server_id, vault }
  const runs = createRunBatchKind({ vault, executor, ledger })
  const fingerprints = new FingerprintRecorder({ pool, vault, upstream, log })
  const suiteStore = new SuiteStore(database)
  const predictor = new SuitePredictor({ pool, suites: suiteStore, upstream })
  const batchHandlers = {
    run: runs,
    board: createBoardKind(runs),
    annotations: createAnnotationBatchKind({ ...rowCallDeps, pool }),
    experiment: createExperimentBatchKind({
      ...rowCallDeps,
      runs,
      results: new ExperimentResults(pool),
      judges: new JudgeRuns({ vault, executor, ledger }),
      fingerprints,
    }),
    runs: createRunJobKind(database),
    sweep: createSweepBatchKind({ predictor, suites: suiteStore, vault }),
  }
  const batchQueue = new BatchQueue({ server_id, database, lease, batches: batchStore, kinds: batchHandlers, log })
  const boardRounds = new BoardRoundStore(database, vault)
  const suiteFileStore = new SuiteFileStore(database)
  const experimentStore = new ExperimentStore(database, batchStore)
  const sweeps = new SweepStore(database, batchStore)
  return {
    batchStore,
    batchQueue,
    suiteStore,
    suiteFileStore,
    experimentStore,
    fingerprints,
    predictor,
    sweeps,
    boardRounds,
  }
}

/** Time without requests after which the server counts as idle (ms). */
const IDLE_AFTER_MS = 5 * 60_000

export function createBackgroundJobs(context: ConsoleContext, vault: Vault, runServices: RunServices) {
  const { env, database, log, server_id } = context
  const { executor, ledger, resources, lease, status, diskSpace } = runServices
  const { pool } = database
  const retentionJob = new RetentionJob({ database, log, resources })
  const isQuiet = () => executor.liveRuns.size === 0 && pool.waitingCount === 0
  const getMsSinceRequest = createRequestClock()
  const isIdle = () => getMsSinceRequest() > IDLE_AFTER_MS
  const vacuumScheduler = new VacuumScheduler({ database, log, isQuiet, isIdle })
  const checkpointJob = new CheckpointJob({ pool, log })
  const frameSealer = new FrameSealer({
    pool,
    log,
    sealAfterMs: env.SEAL_AFTER_SECONDS * 1000,
    isQuiet,
    hasSpace: () => diskSpace.lockReason === null,
  })
  const heartbeat = new ServerHeartbeat({ ...context, ...runServices, vault })
  const settingComparison = new SettingComparison({ database, server_id, status, log })
  const runRecalculation = new RunRecalculation({ pool, ledger, server_id, lease, log })
  return { retentionJob, vacuumScheduler, checkpointJob, frameSealer, heartbeat, settingComparison, runRecalculation }
}
