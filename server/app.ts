import { randomUUID } from 'node:crypto'
import fastifyWebsocket from '@fastify/websocket'
import Fastify, { type FastifyInstance, LogController, type RouteOptions } from 'fastify'
import type { Logger } from 'pino'
import { databaseAt, listening, serviceAt } from './addresses.ts'
import { access } from './access/access.ts'
import { accountRoutes } from './access/account-routes.ts'
import { Attempts } from './access/attempts.ts'
import { guardAudit, keyAudit, recordKeyChange } from './access/audit.ts'
import { logAuditHead } from './access/audit-head.ts'
import { Lines } from './access/lines.ts'
import { firstLink, hasAdminAccount } from './access/links.ts'
import { Passwords } from './access/passwords.ts'
import { People } from './access/people.ts'
import { placeOf } from './access/place.ts'
import { providerOf } from './access/provider.ts'
import { providerRoutes } from './access/provider-routes.ts'
import { externalIssuers } from './access/external-people.ts'
import { proxyUsers } from './access/proxy.ts'
import { peopleRoutes } from './access/people-routes.ts'
import { sessionRoutes, type Show } from './access/session-routes.ts'
import { Sessions, type SignedIn } from './access/sessions.ts'
import { hasAccounts, SignIns } from './access/sign-ins.ts'
import { annotationRoutes } from './annotations/routes.ts'
import { annotationsKind } from './batches/annotations.ts'
import { Batches } from './batches/batches.ts'
import { exportRoute } from './batches/export.ts'
import { Queue } from './batches/queue.ts'
import { batchRoutes } from './batches/routes.ts'
import { runsKind } from './batches/runs.ts'
import type { Database } from './database/database.ts'
import { Tender } from './database/tender.ts'
import { Drifts } from './drift/drifts.ts'
import { driftRoutes } from './drift/routes.ts'
import { type Env, isLoopback } from './env.ts'
import { guardDays } from './figures/days.ts'
import { figureRoutes } from './figures/routes.ts'
import { gauges } from './gauges.ts'
import { keptRoutes } from './kept/routes.ts'
import { callExportRoute } from './ledger/export.ts'
import { Ledger } from './ledger/ledger.ts'
import { ledgerRoutes } from './ledger/routes.ts'
import { retentionRoutes } from './ledger/retention.ts'
import { Sweeper } from './ledger/sweeper.ts'
import { Things } from './ledger/things.ts'
import { bodies } from './plugins/body.ts'
import { healthRoutes } from './plugins/health-routes.ts'
import { refuseLoops } from './plugins/loops.ts'
import { Meters, metricsAdmission } from './plugins/metrics.ts'
import { pages } from './plugins/pages.ts'
import { problems, refusals } from './plugins/problems.ts'
import { readOnly } from './plugins/read-only.ts'
import { security } from './plugins/security.ts'
import { Hearing } from './relay/dialect.ts'
import { egress } from './relay/egress.ts'
import { ExposureLog } from './relay/exposure-log.ts'
import { KeyHealth } from './relay/health.ts'
import { demandKind, inquire } from './relay/inquiry.ts'
import { relay } from './relay/relay.ts'
import { Offers } from './relay/offers.ts'
import { Upstream } from './relay/upstream.ts'
import { Attachments } from './runs/attach.ts'
import { channel } from './runs/channel.ts'
import { type ReadDisk, Space } from './database/space.ts'
import { Elsewhere } from './runs/elsewhere.ts'
import { FrameWriter } from './runs/frames.ts'
import { herald } from './runs/herald.ts'
import { runRoutes } from './runs/routes.ts'
import { Runner } from './runs/runner.ts'
import { Service } from './runs/service.ts'
import { Settler } from './runs/settler.ts'
import { Masters } from './vault/masters.ts'
import { vaultRoutes } from './vault/routes.ts'
import { type Credential, Vault } from './vault/vault.ts'

export interface Console {
  app: FastifyInstance
  vault: Vault
  sessions: Sessions
  /** Every route with its permission. */
  routes: readonly RouteOptions[]
  /** The token of a one-time sign-in link; null once an admin has an account. */
  link: () => Promise<string | null>
  sweeper: Sweeper
  /** Asks a platform what it offers, and waits a moment for it. */
  look: (credential: Credential) => Promise<void>
}

/** Milliseconds that a stop waits for the runs under way, and for what is still to be written. */
const STOP_PATIENCE = 5_000
const WRITING = 2_000
/** Milliseconds that a new key waits for what its platform offers; a slow platform tells it later. */
const LOOKING = 2_000

/** The whole console, composed. Nothing listens yet; `app.close()` ends it within seconds, streams or not. */
export async function buildApp(parts: {
  env: Env
  database: Database
  log: Logger
  version: string
  dist: string
  /** Where the built-in platform listens: reached whatever EGRESS_ALLOW says. */
  platformAt?: string | undefined
  readDisk?: ReadDisk | undefined
}): Promise<Console> {
  const { env, database, log, version } = parts
  const { pool, post } = database
  const server_id = randomUUID()
  const place = placeOf(env)
  const loopbackOnly = isLoopback(env.HOST)
  // What listens on the loopback alone is for others too when a proxy leads them there.
  const isOwn = loopbackOnly && (place.origin === null || isLoopback(new URL(place.origin).hostname))
  const userOf = proxyUsers(env, place)
  const provider = providerOf(env)

  const guard = egress({
    loopbackOnly,
    allow: env.EGRESS_ALLOW,
    own: parts.platformAt,
    never: () => [
      ...listening(app, env.HOST),
      ...(place.origin ? [serviceAt(new URL(place.origin))] : []),
      ...(env.DATABASE_URL ? [databaseAt(env.DATABASE_URL)] : []),
    ],
  })
  const vault = new Vault(database, new Masters(env.MASTER_KEY, env.DATA_DIR), guard.check)
  await vault.sealing.look()
  const sessions = new Sessions(pool, post)
  await guardAudit(pool)
  keyAudit(pool, vault.sealing.auditKey)
  await guardDays(pool)
  const passwords = new Passwords()
  const attempts = new Attempts(pool)
  const signIns = new SignIns({
    database,
    sessions,
    passwords,
    attempts,
    setup: env.SETUP_TOKEN,
    provider: provider?.name ?? null,
    proxyRole: env.PROXY_ROLE,
  })
  // The server's link is enough as long as nobody but this machine can open it, and nobody has an account.
  const needsAccount = async ({ via, has_account }: SignedIn) =>
    !has_account && (via === 'invitation' || (via === 'link' && !(isOwn && !(await hasAccounts(pool)))))
  const show: Show = async (found) => ({
    person: found.person,
    expires_at: found.expires_at.toISOString(),
    version,
    has_account: found.has_account,
    needs_account: await needsAccount(found),
  })
  const lines = new Lines(post)
  const { leave } = lines
  const exposures = new ExposureLog({ database, vault, log })
  const upstream = new Upstream(guard, { server_id, onExposure: exposures.report })
  const meters = new Meters()
  const ledger = new Ledger(pool, ({ status, problem }) =>
    meters.callsEnded.inc({ status, problem: problem?.kind ?? 'none' }),
  )
  const things = new Things(pool, (err) => log.error({ err }, 'things not written'))
  const drifts = new Drifts(pool, (err) => log.error({ err }, 'drift not written'))
  const elsewhere = new Elsewhere(ledger, post)
  const attachments = new Attachments({ ledger, elsewhere }, lines)
  const settler = new Settler({ ledger, vault, upstream, drifts, log, server_id })
  const health = new KeyHealth((key_id, problem, latency) => vault.note(key_id, problem, latency))
  const writer = new FrameWriter(pool, meters)
  const space = new Space(env.DATA_DIR, parts.readDisk)
  const runner = new Runner({
    space,
    health,
    server_id,
    ledger,
    things,
    drifts,
    writer,
    upstream,
    settler,
    log,
  })
  herald(runner, post)
  const hearing = new Hearing(vault)
  const offers = new Offers({ pool, upstream, things, hearing, health })
  const look = (credential: Credential) =>
    Promise.race([
      offers.survey(credential).catch((err: unknown) => log.debug({ err }, 'survey came to nothing')),
      new Promise<void>((resolve) => setTimeout(resolve, LOOKING).unref()),
    ])
  const batches = new Batches(database)
  const kinds = {
    run: runsKind({ vault, runner, ledger }),
    annotations: annotationsKind({ server_id, pool, vault, upstream, ledger, things, drifts }),
  }
  const queue = new Queue({ server_id, database, batches, kinds, log })
  const sweeper = new Sweeper({ database, log })
  const isQuiet = () => runner.live.size === 0 && pool.waitingCount === 0
  const tender = new Tender({ database, log, isQuiet })
  const service = new Service({ server_id, database, ledger, vault, upstream, drifts, log })

  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: env.TRUSTED_PROXY === '' ? false : place.isProxy,
    genReqId: () => randomUUID(),
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    requestTimeout: 10 * 60_000,
    // What stood open when a server died is settled before the next one is ready. On a busy machine that takes its time.
    pluginTimeout: 0,
    bodyLimit: 1024 * 1024,
    // Ids that are no UUID may have 128 characters.
    routerOptions: { maxParamLength: 256 },
    ...refusals,
  }) as unknown as FastifyInstance
  app.decorate('pace', env.RATE_LIMIT_FACTOR)
  await app.register(fastifyWebsocket, { options: { maxPayload: 16 * 1024 } })
  bodies(app)
  problems(app)
  security(app, place)
  refuseLoops(app, { server_id, pool })
  const routes = await access(app, { pool, sessions, needsAccount, userOf, issuers: externalIssuers(env) })
  sessionRoutes(app, { signIns, userOf, show, leave })
  const batchesPaused = (ids: readonly string[]) => queue.paused(ids)
  if (provider) providerRoutes(app, { pool, provider, signIns, leave, batchesPaused })
  accountRoutes(app, { database, sessions, signIns, passwords, attempts, show, leave })
  peopleRoutes(app, { pool, people: new People(database), sessions, leave, batchesPaused })
  readOnly(app, { vault: vault.sealing, space })
  const ask = (given: Parameters<typeof inquire>[0]) => inquire(given, { upstream, check: guard.check })
  vaultRoutes(app, vault, ask, (given) => demandKind(given, upstream), {
    look,
    survey: (credential) => offers.survey(credential),
  })
  ledgerRoutes(app, { database, things, ledger })
  retentionRoutes(app, { database, sweeper })
  callExportRoute(app, { database, ledger, vault, version })
  keptRoutes(app, pool)
  figureRoutes(app, database)
  driftRoutes(app, pool, drifts)
  channel(app, { ledger, runner, attachments, lines })
  runRoutes(app, { database, ledger, runner, attachments, settler })
  annotationRoutes(app, { pool, vault, things })
  batchRoutes(app, { pool, batches, queue, vault })
  exportRoute(app, { batches, database, kindOf: queue.kindOf })
  const carried = {
    pool,
    vault,
    upstream,
    ledger,
    things,
    drifts,
    runner,
    attachments,
    elsewhere,
    offers,
    health,
    hearing,
  }
  relay(app, { ...carried, server_id })
  gauges(meters, { database, folder: env.DATA_DIR, runner, attachments, elsewhere, writer, queue })
  meters.route(app, metricsAdmission(env, place))
  healthRoutes(app, { service, sealing: vault.sealing })
  await pages(app, parts.dist)

  let stopHeadLog = () => {}
  app.addHook('onReady', async () => {
    // A PostgreSQL server watches its own disk.
    if (database.kind === 'pglite') await space.start()
    stopHeadLog = logAuditHead({ pool, log })
    await vault.sealing.whenOpen(async () => {
      const key = vault.sealing.auditKey()
      const change = key && (await recordKeyChange(database, key))
      if (change) log.warn(change, 'audit chain goes on with another key')
      await service.start()
      await queue.start()
      sweeper.start()
      lines.watch(pool, (err) => log.error({ err }, 'sessions were not looked at'))
      tender.start()
    })
  })
  app.addHook('preClose', async () => {
    stopHeadLog()
    service.stop()
    space.stop()
    queue.stop()
    sweeper.stop()
    lines.stop()
    tender.stop()
    const settled = runner.close(STOP_PATIENCE)
    attachments.close()
    await settled
    const written = Promise.all([things, drifts, exposures, queue, sweeper, tender].map((one) => one.settled()))
    await Promise.race([
      written.then(() => service.leave()).catch((err: unknown) => log.error({ err }, 'not left in order')),
      new Promise((resolve) => setTimeout(resolve, WRITING).unref()),
    ])
  })
  const link = async () => ((await hasAdminAccount(pool)) ? null : firstLink(database))
  return { app, vault, sessions, routes, link, sweeper, look }
}
