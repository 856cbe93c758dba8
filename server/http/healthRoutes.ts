import type { FastifyInstance } from 'fastify'

export interface HealthDeps {
  databaseService: { ready: () => Promise<boolean> }
  encryption: { lockReason: string | null }
}

/** `/healthz` answers while the process lives, `/readyz` with 503 while the database does not. Both are open. */
export function registerHealthRoutes(app: FastifyInstance, { databaseService, encryption }: HealthDeps): void {
  app.get('/healthz', { config: { permission: 'open' } }, async () => ({ ok: true }))
  app.get('/readyz', { config: { permission: 'open' } }, async (_request, reply) => {
    const ready = await databaseService.ready()
    return reply.code(ready ? 200 : 503).send({ ready, ...(encryption.lockReason ? { read_only: encryption.lockReason } : {}) })
  })
}
