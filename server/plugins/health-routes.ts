import type { FastifyInstance } from 'fastify'

export interface HealthParts {
  service: { ready: () => Promise<boolean> }
  sealing: { lock: string | null }
}

/** `/healthz` answers while the process lives, `/readyz` with 503 while the database does not. Both are open. */
export function healthRoutes(app: FastifyInstance, { service, sealing }: HealthParts): void {
  app.get('/healthz', { config: { permission: 'open' } }, async () => ({ ok: true }))
  app.get('/readyz', { config: { permission: 'open' } }, async (_request, reply) => {
    const ready = await service.ready()
    return reply.code(ready ? 200 : 503).send({ ready, ...(sealing.lock ? { read_only: sealing.lock } : {}) })
  })
}
