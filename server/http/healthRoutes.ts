import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { ServerState } from '../serverState.ts'

export interface HealthDeps {
  databaseService: { isReady: () => Promise<boolean> }
  encryption: { lockReason: string | null }
  serverState: Pick<ServerState, 'current'>
  settingComparison: { differing: readonly string[] }
}

const ReadyQuery = z.object({ draining: z.literal('404').optional() })

/**
 * `/healthz` responds while the process is alive; `/readyz` responds with 503 while the database is unavailable, and
 * from the signal to stop on. Both are public. `/readyz?draining=404` is for HAProxy, whose `disable-on-404` sends no
 * new requests to a draining server but keeps its connections; at 503 they would be closed.
 */
export function registerHealthRoutes(
  app: FastifyInstance,
  { databaseService, encryption, serverState, settingComparison }: HealthDeps,
): void {
  app.get('/healthz', { config: { permission: 'open' } }, async () => ({ ok: true }))
  app.get('/readyz', { config: { permission: 'open' } }, async (request, reply) => {
    const { current: state } = serverState
    const isReady = state === 'ready' && (await databaseService.isReady())
    const drainingStatus = ReadyQuery.safeParse(request.query).data?.draining ? 404 : 503
    return reply.code(isReady ? 200 : state === 'ready' ? 503 : drainingStatus).send({
      ready: isReady,
      ...(state === 'ready' ? {} : { state }),
      ...(encryption.lockReason ? { read_only: encryption.lockReason } : {}),
      ...(settingComparison.differing.length > 0 ? { settings_differ: settingComparison.differing } : {}),
    })
  })
}
