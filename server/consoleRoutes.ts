import type { FastifyBaseLogger, FastifyInstance, RouteOptions } from 'fastify'
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
import { registerBoardRoutes } from './batches/boardRoutes.ts'
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
import type { ConsoleContext, ConsoleServices } from './consoleServices.ts'

/** @returns the routes with their permissions */
export async function registerConsoleRoutes(
  app: FastifyInstance,
  context: ConsoleContext,
  services: ConsoleServices,
): Promise<readonly RouteOptions[]> {
  const { env, database, publicOrigin, dist } = context
  const { vault, diskSpace, driftRecorder, keyProbes, metrics, openId } = services
  const { pool } = database
  const deps = toRouteDeps(context, services)
  registerBodyParsers(app)
  registerErrorHandler(app)
  registerSecurity(app, publicOrigin)
  registerLoopGuard(app, deps)

  const routes = await registerAccessControl(app, deps)
  registerSessionRoutes(app, deps)
  if (openId) {
    registerOpenIdRoutes(app, { ...deps, ...openId })
    registerBackchannelLogoutRoute(app, openId)
  }
  registerAccountRoutes(app, deps)
  registerPeopleRoutes(app, deps)
  registerReadOnlyMode(app, { vault: vault.encryption, diskSpace })

  registerVaultRoutes(app, vault, keyProbes)
  registerWebhookRoutes(app, deps)
  registerLedgerRoutes(app, deps)
  registerRetentionRoutes(app, deps)
  registerCallExportRoute(app, deps)
  registerSavedItemRoutes(app, database)
  registerStatsRoutes(app, database)
  registerDriftRoutes(app, pool, driftRecorder)

  registerLiveSocket(app, deps, deps.quota)
  registerLiveEventStream(app, deps, deps.quota)
  registerRunRoutes(app, deps)
  registerLinkedFileRoute(app, deps)
  registerKeptFileRoutes(app, deps)
  registerFormRoutes(app, deps)
  registerAnnotationRoutes(app, deps)
  registerRunJobRoutes(app, deps)
  registerBatchRoutes(app, deps)
  registerBoardRoutes(app, deps)
  registerSuiteRoutes(app, deps)
  registerSuiteFileRoutes(app, deps)
  registerPredictionRoutes(app, deps)
  registerBatchExportRoute(app, deps)

  registerRelayRoutes(app, deps)
  registerFilePreviewRoute(app, deps)
  registerDocumentFileRoute(app, deps)
  registerGeneratingRoutes(app, deps)

  registerGauges(metrics, deps)
  metrics.registerRoute(app, createMetricsGuard(env, publicOrigin))
  registerHealthRoutes(app, deps)
  registerServerRoutes(app, deps)
  await registerStaticFiles(app, dist)
  return routes
}

/** The services under the names by which the routes take them. */
function toRouteDeps(context: ConsoleContext, services: ConsoleServices) {
  const { env, database } = context
  const { openId, batchQueue, sessionConnections } = services
  return {
    ...context,
    ...services,
    pool: database.pool,
    folder: env.DATA_DIR,
    quota: new ConnectionQuota(env.RATE_LIMIT_FACTOR),
    issuers: listExternalIssuers(env),
    people: new PeopleStore(database, pauseBatches),
    encryption: services.vault.encryption,
    connections: sessionConnections,
    endConnections: sessionConnections.closeEverywhere,
    findProviderSignOut: (session_id: string, log: FastifyBaseLogger) =>
      openId ? findProviderSignOut(openId, session_id, log) : Promise.resolve(null),
    queue: batchQueue,
    kindOf: batchQueue.getHandler,
    batchesPaused: (ids: readonly string[]) => batchQueue.paused(ids),
    batches: services.batchStore,
    boards: services.boardRounds,
    suites: services.suiteStore,
    suiteFiles: services.suiteFileStore,
    experiments: services.experimentStore,
    databaseService: services.heartbeat,
  }
}
