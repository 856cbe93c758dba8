import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { decodePath } from './requestPath.ts'
import { sendProblem } from './errors.ts'

/**
 * Serves the built app: hashed files with an immutable cache, and for any URL that is not a file the page itself, uncached,
 * with the nonce of its style tags.
 */
export async function registerStaticFiles(app: FastifyInstance, folder: string): Promise<void> {
  const file = join(folder, 'index.html')
  const page = existsSync(file) ? readFileSync(file, 'utf8') : null
  const getPreloadLinks = page ? readScreenLinks(join(folder, 'screens.json')) : () => ''
  if (page)
    await app.register(async (files) => {
      files.addHook('onRoute', (options) => {
        options.config = { ...options.config, permission: 'open' }
      })
      await files.register(fastifyStatic, {
        root: folder,
        index: false,
        wildcard: false,
        preCompressed: true,
        setHeaders: (reply, path) => {
          const hashed = path.includes('/assets/')
          void reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache')
        },
      })
    })
  app.setNotFoundHandler((request, reply) => {
    const currentUrl = findCurrentUrl(request.url)
    if (currentUrl) return reply.redirect(currentUrl, 308)
    const path = decodePath(request.url)
    const wantsPage = request.method === 'GET' && !/^\/(api|assets)\b/.test(path) && !/\.\w+$/.test(path)
    if (!wantsPage)
      return sendProblem(reply, {
        kind: 'invalid',
        status: 404,
        message: `There is nothing at ${request.method} ${request.url.split('?')[0]?.slice(0, 200)}.`,
      })
    if (!page) return reply.code(503).type('text/plain; charset=utf-8').send('The app is not built. Run: npm run build')
    return reply
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(page.replace('</head>', `${getPreloadLinks(path)}</head>`).replaceAll('__NONCE__', request.nonce))
  })
}

/**
 * The preload links of a screen, by path, so that the browser fetches its files while it still reads the page. The build
 * lists them: the route's path and its files.
 */
function readScreenLinks(file: string): (path: string) => string {
  const screens = existsSync(file)
    ? Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, string[]>).map(([path, files]) => ({
        fits: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}/?$`),
        isPlain: !path.includes(':'),
        links: files.map(toPreloadLink).join(''),
      }))
    : []
  return (path) => {
    const matchingScreens = screens.filter(({ fits: pattern }) => pattern.test(path))
    return (matchingScreens.find(({ isPlain }) => isPlain) ?? matchingScreens[0])?.links ?? ''
  }
}

const toPreloadLink = (file: string): string =>
  `<link rel="${file.endsWith('.css') ? 'stylesheet' : 'modulepreload'}" crossorigin href="/${file}" nonce="__NONCE__">`

/** Paths of `/api` until 2026-11: answered with 308 for one release, so that scripts can follow. */
const RETIRED_PATHS: readonly [retired: RegExp, current: string][] = [
  [/^\/api\/things(?=[/?]|$)/, '/api/resources'],
  [/^\/api\/kept(?=[/?]|$)/, '/api/saved-items'],
  [/^\/api\/identify(?=\?|$)/, '/api/id-lookup'],
  [/^\/api\/inquiry(?=\?|$)/, '/api/platform-detection'],
  [/^\/api\/figures(?=\?|$)/, '/api/stats'],
  [/^\/api\/attention(?=\?|$)/, '/api/alerts'],
  [/^\/api\/annotations\/alike(?=\?|$)/, '/api/annotations/similar'],
  [/^\/api\/session\/ways(?=\?|$)/, '/api/session/methods'],
  [/^(\/api\/runs\/[^/?]+)\/settle(?=\?|$)/, '$1/reconcile'],
  [/^(\/api\/runs\/[^/?]+)\/family(?=\?|$)/, '$1/lineage'],
  [/^(\/api\/workspaces\/[^/?]+\/keys\/[^/?]+)\/survey(?=\?|$)/, '$1/probe'],
]

/** The current URL (path and query) of a retired one; null for any other. Never leaves this origin. */
export function findCurrentUrl(url: string): string | null {
  for (const [retired, current] of RETIRED_PATHS) if (retired.test(url)) return url.replace(retired, current)
  return null
}
