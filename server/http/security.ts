import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ProblemError } from '#contract/problem.ts'
import type { PublicOrigin } from './publicOrigin.ts'
import { getRoutePath } from './requestPath.ts'

declare module 'fastify' {
  interface FastifyInstance {
    publicOrigin: PublicOrigin
  }
  interface FastifyRequest {
    /** Names the style tags that Mantine and CodeMirror may write into this page. */
    nonce: string
  }
}

/**
 * Headers of every reply, and the refusal of what a foreign page could send: a Host that is not ours (DNS rebinding), a
 * change without `X-Console`, a change from another origin. A request that names two hosts is refused: a proxy in front
 * may have read the other one.
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
    // What watches over a server asks for it by its address, and is told nothing of what it holds.
    if (!isAllowedHost(getRequestHost(request)) && !(origin && HEALTH_PATHS.has(getRoutePath(request))))
      throw new ProblemError({
        kind: 'denied',
        status: 421,
        message: 'This server does not answer for that host name.',
      })
    if (request.method !== 'GET' && request.method !== 'HEAD') requireConsoleHeader(request)
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

/** Whether a request target names no host, or this one. */
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
  // A token of a script is sent by nobody but the script: what a foreign page makes a browser send has a cookie at most.
  if (request.headers.authorization && !request.headers.cookie) return
  if (request.headers['x-console'] !== '1')
    throw new ProblemError({ kind: 'denied', status: 403, message: 'A change needs the header X-Console: 1.' })
  requireSameOrigin(request)
}

/** @throws ProblemError 403 for what another page's script has sent. */
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
      message: 'A change must come from the console’s own page.',
    })
}

function hasSameHost(origin: string, host: string | undefined): boolean {
  try {
    return new URL(origin).host === host
  } catch {
    return false
  }
}
