import type { FastifyInstance } from 'fastify'

export interface HealthDeps {
  databaseService: { isReady: () => Promise<boolean> }
  encryption: { lockReason: string | null }
}

/** `/healthz` responds while the process is alive, `/readyz` with 503 while the database is unavailable. Both are public. */
export function registerHealthRoutes(app: FastifyInstance, { databaseService, encryption }: HealthDeps): void {
  app.get('/healthz', { config: { permission: 'open' } }, async () => ({ ok: true }))
  app.get('/readyz', { config: { permission: 'open' } }, async (_request, reply) => {
    const isReady = await databaseService.isReady()
    return reply
      .code(isReady ? 200 : 503)
      .send({ ready: isReady, ...(encryption.lockReason ? { read_only: encryption.lockReason } : {}) })
  })
}
