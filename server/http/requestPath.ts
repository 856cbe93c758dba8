import type { FastifyRequest } from 'fastify'

/** The route of a request, or its decoded path without a matching route: independent of the URL's spelling. */
export function getRoutePath({ routeOptions, url }: FastifyRequest): string {
  return routeOptions.url ?? decodePath(url)
}

/** The path of a request target, which may be absolute and percent-encoded. */
export function decodePath(target: string): string {
  const [path = ''] = target.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/)
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
