import { askEarly } from './wire/early.ts'

/** What every screen but the one of signing in reads first. */
const FIRST = ['/api/session', '/api/workspaces']

if (window.location.pathname !== '/sign-in') FIRST.forEach(askEarly)

/**
 * All that the page stands on is on its way when this runs; evaluated in one go it would hold a slow machine up for half
 * a second. Each of these is a chunk and a task of its own.
 */
async function begin(): Promise<void> {
  await import('react-dom/client')
  await import('#contract/index.ts')
  await import('./main.tsx')
}

void begin()
