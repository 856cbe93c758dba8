import { prefetch } from '../client/prefetch.ts'

/** What every screen except sign-in reads first. */
const PREFETCHED_PATHS = ['/api/session', '/api/workspaces']

if (window.location.pathname !== '/sign-in') PREFETCHED_PATHS.forEach(prefetch)

/**
 * Starts loading the page's chunks. Evaluating them in one go would block a slow machine for half a second, so each
 * is a chunk and a task of its own.
 */
async function startApp(): Promise<void> {
  await import('react-dom/client')
  await import('#contract/index.ts')
  await import('./entry.tsx')
}

void startApp()
