import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'

/** `/metrics` in Prometheus' text form. Figures only: no ids, no names. */
export function metrics(app: FastifyInstance, figures: { liveRuns: () => number; openStreams: () => number }): void {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect: function () {
        this.set(read())
      },
    })
  gauge('loupe_runs_live', 'Runs that this server reads from a platform', figures.liveRuns)
  gauge('loupe_streams_open', 'Streams that are open to browsers', figures.openStreams)
  app.get('/metrics', { config: { permission: 'open' } }, async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  )
  app.addHook('onClose', async () => registry.clear())
}
