import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ProblemError } from '#contract/problem.ts'
import type { PublicOrigin } from './publicOrigin.ts'
import { getRoutePath } from './requestPath.ts'

declare module 'fastify' {
  interface FastifyInstance {
    publicOrigin: PublicOrigin
  }
  interface FastifyContextConfig {
    /** True for a POST of another server, which needs no `X-Console`: a signed token in its body is the proof. */
    isServerRequest?: boolean
  }
  interface FastifyRequest {
    /** The nonce of the style tags that Mantine and CodeMirror may insert into this page. */
    nonce: string
  }
}

/**
 * Security headers of every reply, and the rejection of requests that a foreign page could send: a foreign Host (DNS
 * rebinding), a write without `X-Console`, a write from another origin. A request with two hosts is rejected: a proxy in
 * front may have used the other one.
 */
export function registerSecurity(app: FastifyInstance, publicOrigin: PublicOrigin): void {
  const { isAllowedHost, origin, isSecure } = publicOrigin
  app.decorateRequest('nonce', '')
  app.decorate('publicOrigin', publicOrigin)
  app.addHook('onRequest', async (request, reply) => {
    request.nonce = randomBytes(16).toString('base64')
    void reply.headers(getSecurityHeaders(request))
    if (isSecure) void reply.header('strict-transport-security', 'max-age=31536000')
    requireOneHost(request)
    // Health checks use the IP address of a server, and their replies reveal no data.
    if (!isAllowedHost(getRequestHost(request)) && !(origin && HEALTH_PATHS.has(getRoutePath(request))))
      throw new ProblemError({
        kind: 'denied',
        status: 421,
        message: 'This server does not answer for that host name.',
      })
    if (request.method !== 'GET' && request.method !== 'HEAD' && !request.routeOptions.config.isServerRequest)
      requireConsoleHeader(request)
  })
}

const HEALTH_PATHS = new Set(['/healthz', '/readyz'])

function getSecurityHeaders(request: FastifyRequest): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${request.nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "form-action 'self'",
    "frame-src 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types default',
  ].join('; ')
  return {
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=()',
    ...(getRoutePath(request).startsWith('/api') ? { 'cache-control': 'no-store' } : {}),
  }
}

/** @throws ProblemError 400 for a second Host header, and an absolute address with another host (RFC 9112, 3.2). */
function requireOneHost({ raw, headers }: FastifyRequest): void {
  const hosts = raw.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host')
  if (hosts.length > 1 || !matchesHost(raw.url ?? '', headers.host))
    throw new ProblemError({ kind: 'invalid', status: 400, message: 'The request must name one host.' })
}

/** Whether a request target contains no host, or this one. */
function matchesHost(target: string, host: string | undefined): boolean {
  if (target.startsWith('/') || target === '*') return true
  try {
    const url = new URL(target)
    return url.host === new URL(`${url.protocol}//${host}`).host
  } catch {
    return false
  }
}

const getRequestHost = (request: FastifyRequest): string =>
  (request.headers.host ?? '').replace(/:\d+$/, '').toLowerCase()

function requireConsoleHeader(request: FastifyRequest): void {
  // Only a script sends an access token: requests that a foreign page triggers carry at most a cookie.
  if (request.headers.authorization && !request.headers.cookie) return
  if (request.headers['x-console'] !== '1')
    throw new ProblemError({ kind: 'denied', status: 403, message: 'A write requires the header X-Console: 1.' })
  requireSameOrigin(request)
}

/** @throws ProblemError 403 for a request from another page's script. */
export function requireSameOrigin(request: FastifyRequest): void {
  const { origin, host } = request.headers
  const fetchSite = request.headers['sec-fetch-site']
  const isForeign =
    fetchSite === undefined
      ? origin !== undefined && origin !== request.server.publicOrigin.origin && !hasSameHost(origin, host)
      : fetchSite !== 'same-origin'
  if (isForeign)
    throw new ProblemError({
      kind: 'denied',
      status: 403,
      message: 'A write must come from the console’s own page.',
    })
}

function hasSameHost(origin: string, host: string | undefined): boolean {
  try {
    return new URL(origin).host === host
  } catch {
    return false
  }
}
