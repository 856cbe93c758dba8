import type { FastifyInstance, RouteOptions } from 'fastify'
import { registerAccessControl } from './auth/accessControl.ts'
import { registerAccountRoutes } from './auth/accountRoutes.ts'
import { PeopleStore } from './auth/people.ts'
import { findProviderSignOut, registerBackchannelLogoutRoute } from './auth/signIn/openIdLogoutRoutes.ts'
import { registerOpenIdRoutes } from './auth/signIn/openIdRoutes.ts'
import { listExternalIssuers } from './auth/signIn/externalIdentities.ts'
import { registerPeopleRoutes } from './auth/peopleRoutes.ts'
import { registerSessionRoutes } from './auth/sessionRoutes.ts'
import { registerAnnotationRoutes } from './annotations/routes.ts'
import { pauseBatches } from './batches/batchAccess.ts'
import { registerBatchExportRoute } from './batches/batchExport.ts'
import { registerBatchRoutes } from './batches/routes.ts'
import { registerRunJobRoutes } from './batches/runJobs.ts'
import { registerDriftRoutes } from './drift/routes.ts'
import { registerStatsRoutes } from './stats/routes.ts'
import { registerGauges } from './metricGauges.ts'
import { registerSavedItemRoutes } from './savedItems/routes.ts'
import { registerCallExportRoute } from './ledger/export/callExport.ts'
import { registerLedgerRoutes } from './ledger/routes.ts'
import { registerRetentionRoutes } from './ledger/retention/retentionRoutes.ts'
import { registerBodyParsers } from './http/bodyParser.ts'
import { registerHealthRoutes } from './http/healthRoutes.ts'
import { registerLoopGuard } from './http/loopGuard.ts'
import { createMetricsGuard } from './http/metrics.ts'
import { registerStaticFiles } from './http/staticFiles.ts'
import { registerErrorHandler } from './http/errors.ts'
import { registerReadOnlyMode } from './http/readOnlyMode.ts'
import { registerSecurity } from './http/security.ts'
import { registerDocumentFileRoute } from './relay/documentFileRoute.ts'
import { registerFilePreviewRoute } from './relay/filePreviewRoute.ts'
import { registerRelayRoutes } from './relay/relayRoutes.ts'
import { ConnectionQuota } from './runs/subscriptions/connectionQuota.ts'
import { registerLiveEventStream } from './runs/subscriptions/liveEventStream.ts'
import { registerLiveSocket } from './runs/subscriptions/liveSocket.ts'
import { registerGeneratingRoutes } from './runs/generatingRoutes.ts'
import { registerKeptFileRoutes } from './runs/linkedFiles/keptFileRoutes.ts'
import { registerLinkedFileRoute } from './runs/linkedFiles/linkedFileRoute.ts'
import { registerRunRoutes } from './runs/routes.ts'
import { registerFormRoutes } from './runs/forms/routes.ts'
import { registerVaultRoutes } from './vault/routes.ts'
import { registerServerRoutes } from './servers/routes.ts'
import { registerSuiteFileRoutes } from './suites/suiteFileRoutes.ts'
import { registerPredictionRoutes } from './suites/prediction/predictionRoutes.ts'
import { registerSuiteRoutes } from './suites/routes.ts'
import { registerWebhookRoutes } from './webhooks/routes.ts'
import type {
  ConsoleContext,
  ConsoleServices,
  VaultServices,
  SignInServices,
  RunServices,
  BatchServices,
  BackgroundJobs,
  OpenIdServices,
} from './consoleServices.ts'

/** @returns the routes with their permissions */
export async function registerConsoleRoutes(
  app: FastifyInstance,
  context: ConsoleContext,
  services: ConsoleServices,
): Promise<readonly RouteOptions[]> {
  const { server_id, publicOrigin, database } = context
  registerBodyParsers(app)
  registerErrorHandler(app)
  registerSecurity(app, publicOrigin)
  registerLoopGuard(app, { server_id, pool: database.pool })
  const routes = await registerSignInRoutes(app, context, services)
  registerReadOnlyMode(app, { vault: services.vault.encryption, diskSpace: services.diskSpace })
  registerRecordRoutes(app, context, services)
  const quota = new ConnectionQuota(context.env.RATE_LIMIT_FACTOR)
  registerRunAndBatchRoutes(app, context, services, quota)
  registerRelayedRoutes(app, context, services, quota)
  registerOperationsRoutes(app, context, services)
  await registerStaticFiles(app, context.dist)
  return routes
}

async function registerSignInRoutes(
  app: FastifyInstance,
  { env, database, readProxyUser }: ConsoleContext,
  services: SignInServices & BatchServices & OpenIdServices,
): Promise<readonly RouteOptions[]> {
  const { pool } = database
  const {
    sessions,
    passwords,
    loginThrottle,
    signIns,
    needsPassword,
    toSession,
    sessionConnections,
    batchQueue,
    openId,
  } = services
  const { closeEverywhere } = sessionConnections
  const routes = await registerAccessControl(app, {
    pool,
    sessions,
    needsPassword,
    readProxyUser,
    issuers: listExternalIssuers(env),
  })
  registerSessionRoutes(app, {
    signIns,
    readProxyUser,
    toSession,
    findProviderSignOut: (session_id, log) =>
      openId ? findProviderSignOut(openId, session_id, log) : Promise.resolve(null),
    endConnections: closeEverywhere,
  })
  const batchesPaused = (ids: readonly string[]) => batchQueue.paused(ids)
  if (openId) {
    registerOpenIdRoutes(app, { ...openId, pool, signIns })
    registerBackchannelLogoutRoute(app, openId)
  }
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
  return routes
}

function registerRecordRoutes(
  app: FastifyInstance,
  { database, version }: ConsoleContext,
  services: VaultServices & SignInServices & RunServices & BackgroundJobs,
): void {
  const { pool } = database
  const { vault, sessionConnections } = services
  const { ledger, resources, driftRecorder, retentionJob } = services
  registerVaultRoutes(app, vault, services.keyProbes)
  registerWebhookRoutes(app, { pool, webhooks: services.webhooks })
  registerLedgerRoutes(app, { database, resources, ledger })
  registerRetentionRoutes(app, { database, retentionJob })
  registerCallExportRoute(app, { database, ledger, vault, version, sessionConnections })
  registerSavedItemRoutes(app, pool)
  registerStatsRoutes(app, database)
  registerDriftRoutes(app, pool, driftRecorder)
}

function registerRunAndBatchRoutes(
  app: FastifyInstance,
  { database }: ConsoleContext,
  services: VaultServices & SignInServices & RunServices & BatchServices,
  quota: ConnectionQuota,
): void {
  const { pool } = database
  const { vault, ledger, resources, executor, subscriptions, reconciler, upstream, forms } = services
  const { sessionConnections, batchStore, batchQueue } = services
  const livePageDeps = { ledger, executor, subscriptions, connections: sessionConnections }
  registerLiveSocket(app, livePageDeps, quota)
  registerLiveEventStream(app, livePageDeps, quota)
  registerRunRoutes(app, { database, ledger, executor, subscriptions, quota, reconciler })
  registerLinkedFileRoute(app, { ledger, vault, upstream, pool })
  registerKeptFileRoutes(app, { database, ledger, vault, upstream })
  registerFormRoutes(app, { pool, ledger, forms })
  registerAnnotationRoutes(app, { pool, vault, resources })
  registerRunJobRoutes(app, { database, batches: batchStore, queue: batchQueue })
  registerBatchRoutes(app, { pool, batches: batchStore, queue: batchQueue, vault })
  registerSuiteRoutes(app, {
    pool,
    suites: services.suiteStore,
    experiments: services.experimentStore,
    fingerprints: services.fingerprints,
    batches: batchStore,
    queue: batchQueue,
    vault,
  })
  registerSuiteFileRoutes(app, { pool, vault, suites: services.suiteStore, suiteFiles: services.suiteFileStore })
  registerPredictionRoutes(app, {
    pool,
    suites: services.suiteStore,
    vault,
    predictor: services.predictor,
    sweeps: services.sweeps,
    batches: batchStore,
    queue: batchQueue,
  })
  registerBatchExportRoute(app, {
    batches: batchStore,
    database,
    vault,
    sessionConnections: services.sessionConnections,
    kindOf: batchQueue.getHandler,
  })
}

function registerRelayedRoutes(
  app: FastifyInstance,
  { database, server_id }: ConsoleContext,
  services: VaultServices & RunServices,
  quota: ConnectionQuota,
): void {
  const { pool } = database
  const { vault, upstream, ledger, resources, driftRecorder, capabilities, keyHealth, dialectDetector } = services
  const { executor, subscriptions, remoteRuns } = services
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
  registerFilePreviewRoute(app, { vault, upstream, pool })
  registerDocumentFileRoute(app, { vault, upstream, pool })
  registerGeneratingRoutes(app, { pool, vault, ledger, executor, subscriptions, quota, remoteRuns })
}

function registerOperationsRoutes(
  app: FastifyInstance,
  { env, database, publicOrigin, serverState, server_id }: ConsoleContext,
  services: VaultServices & RunServices & BatchServices & BackgroundJobs,
): void {
  const { vault, metrics, executor, subscriptions, remoteRuns, frameWriter, batchQueue, heartbeat } = services
  const { status, settingComparison } = services
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
  registerHealthRoutes(app, {
    databaseService: heartbeat,
    encryption: vault.encryption,
    serverState,
    settingComparison,
  })
  registerServerRoutes(app, { database, server_id, status })
}
