import { prefetch } from '../client/prefetch.ts'

/** What every screen but the one of signing in reads first. */
const PREFETCHED_PATHS = ['/api/session', '/api/workspaces']

if (window.location.pathname !== '/sign-in') PREFETCHED_PATHS.forEach(prefetch)

/**
 * All that the page stands on is on its way when this runs; evaluated in one go it would hold a slow machine up for half
 * a second. Each of these is a chunk and a task of its own.
 */
async function startApp(): Promise<void> {
  await import('react-dom/client')
  await import('#contract/index.ts')
  await import('./entry.tsx')
}

void startApp()
