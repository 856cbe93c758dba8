import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

/**
 * What `/metrics` tells, in Prometheus' text form: figures only, no ids and no names. Seconds, bytes and counts, as
 * Prometheus names them.
 */
export class Meters {
  readonly registry = new Registry()
  readonly #registers = [this.registry]

  /** From the arrival of a frame until it is in the table, which is when browsers are handed it. */
  readonly frameDelay = new Histogram({
    name: 'loupe_frame_delay_seconds',
    help: 'From the arrival of a frame until it is committed and handed to browsers',
    buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5],
    registers: this.#registers,
  })
  readonly commitFrames = new Histogram({
    name: 'loupe_commit_frames',
    help: 'Frames in one group commit',
    buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000],
    registers: this.#registers,
  })
  readonly commitFailures = new Counter({
    name: 'loupe_commit_failures_total',
    help: 'Group commits that the database refused',
    registers: this.#registers,
  })
  readonly callsEnded = new Counter({
    name: 'loupe_calls_ended_total',
    help: 'Calls by state and kind of problem ("none" where there was none)',
    labelNames: ['status', 'problem'] as const,
    registers: this.#registers,
  })
  readonly #requests = new Histogram({
    name: 'loupe_http_request_duration_seconds',
    help: 'Requests of browsers and scripts until the reply was sent; streams last as long as they run',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 30, 100],
    registers: this.#registers,
  })

  constructor() {
    collectDefaultMetrics({ register: this.registry })
  }

  /** A figure that is read when somebody asks. */
  gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers: this.#registers,
      collect: function () {
        this.set(read())
      },
    })
  }

  route(app: FastifyInstance): void {
    app.addHook('onResponse', async (request, reply) => {
      const labels = { method: request.method, route: request.routeOptions.url ?? 'none', status: reply.statusCode }
      this.#requests.observe(labels, reply.elapsedTime / 1000)
    })
    app.get('/metrics', { config: { permission: 'open' } }, async (_request, reply) =>
      reply.type(this.registry.contentType).send(await this.registry.metrics()),
    )
    app.addHook('onClose', async () => this.registry.clear())
  }
}
