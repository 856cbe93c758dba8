import type { FastifyInstance, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { PublicOrigin } from './publicOrigin.ts'
import { isSameSecret } from './secretComparison.ts'
import type { Env } from '../env.ts'

/** Requests within this time get the same text, so that many requests cost one rendering. */
const RENDER_INTERVAL_MS = 1_000
const COUNTED_METHODS = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])

/**
 * The metrics of `/metrics` in Prometheus' text format: numbers only, no ids and no names. Seconds, bytes and counts,
 * following Prometheus' naming. A route has two counters and no histogram: the text stays under 100 KB when every route is
 * used.
 */
export class Metrics {
  readonly registry = new Registry()
  readonly #registers = [this.registry]
  #rendered: { at: number; text: Promise<string> } | null = null

  /** From the arrival of a frame until it is stored, when browsers receive it. */
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
    help: 'Requests by method and class of status until the reply was sent; streams last as long as they run',
    labelNames: ['method', 'status'] as const,
    buckets: [0.02, 0.1, 0.5, 2, 10],
    registers: this.#registers,
  })
  readonly #routeRequests = new Counter({
    name: 'loupe_http_route_requests_total',
    help: 'Requests by route',
    labelNames: ['method', 'route'] as const,
    registers: this.#registers,
  })
  readonly #routeSeconds = new Counter({
    name: 'loupe_http_route_seconds_total',
    help: 'Seconds that requests took, by route',
    labelNames: ['method', 'route'] as const,
    registers: this.#registers,
  })

  constructor() {
    collectDefaultMetrics({ register: this.registry })
  }

  addGauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers: this.#registers,
      collect: function () {
        this.set(read())
      },
    })
  }

  registerRoute(app: FastifyInstance, isAdmitted: (request: FastifyRequest) => boolean): void {
    app.addHook('onResponse', async (request, reply) => {
      const method = COUNTED_METHODS.has(request.method) ? request.method : 'other'
      const seconds = reply.elapsedTime / 1000
      const { url } = request.routeOptions
      this.#requests.observe({ method, status: `${Math.floor(reply.statusCode / 100)}xx` }, seconds)
      const labels = url === undefined ? { method: 'other', route: 'none' } : { method, route: url }
      this.#routeRequests.inc(labels)
      this.#routeSeconds.inc(labels, seconds)
    })
    app.get('/metrics', { config: { permission: 'read', isAdmitted } }, async (_request, reply) =>
      reply.type(this.registry.contentType).send(await this.#render()),
    )
    app.addHook('onClose', async () => this.registry.clear())
  }

  #render(): Promise<string> {
    const now = performance.now()
    if (this.#rendered && now - this.#rendered.at < RENDER_INTERVAL_MS) return this.#rendered.text
    this.#rendered = { at: now, text: this.registry.metrics() }
    return this.#rendered.text
  }
}

/** Headers that a proxy adds to a forwarded request. */
const FORWARDED_HEADERS =
  /^(?:forwarded|via|x-forwarded(?:-.+)?|x-real-ip|(?:x-|true-|cf-connecting-|fastly-)client-ip|cf-connecting-ip)$/

/**
 * The requests that `/metrics` serves without a signed-in person: those with `METRICS_TOKEN`, and those from this machine. A
 * request through a proxy on this machine comes from the loopback too, so forwarded requests do not count, and none count
 * when the console has a `PUBLIC_URL`.
 */
export const createMetricsGuard =
  ({ METRICS_TOKEN: token }: Pick<Env, 'METRICS_TOKEN'>, { origin, isTrustedProxy }: PublicOrigin) =>
  ({ raw, headers }: FastifyRequest): boolean => {
    const [, givenToken] = /^Bearer ([\x21-\x7e]{1,512})$/i.exec(headers.authorization ?? '') ?? []
    if (token !== undefined && givenToken !== undefined && isSameSecret(givenToken, token)) return true
    const address = raw.socket.remoteAddress
    if (origin !== null || address === undefined || isTrustedProxy(address)) return false
    return (
      ipaddr.process(address).range() === 'loopback' &&
      !Object.keys(headers).some((name) => FORWARDED_HEADERS.test(name))
    )
  }
