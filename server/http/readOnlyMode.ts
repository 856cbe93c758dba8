import type { FastifyInstance } from 'fastify'
import { contract } from '#contract/index.ts'
import { ProblemError } from '#contract/problem.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True for a POST that changes nothing and whose handler checks every id in its body against the access scope. */
    isRead?: boolean
  }
}

/** Routes that can end the lock: keys are entered again or deleted. */
const KEY_RECOVERY_ROUTES = [
  contract.console.updateKey,
  contract.console.deleteKey,
  contract.console.deleteWorkspace,
].map(({ method, path }) => `${method} ${path}`)

/** Routes that free disk space: console deletions, and stopping work that writes. */
const SPACE_FREEING_ROUTES = [
  contract.console.purgeCalls,
  contract.console.updateRetention,
  contract.console.pauseBatch,
].map(({ method, path }) => `${method} ${path}`)
const isConsoleDelete = (name: string): boolean =>
  name.startsWith('DELETE ') && !name.startsWith('DELETE /api/keys/:key_id/')

/**
 * While the vault is locked or the disk is full, changes are rejected and only reads reach a platform. Sign-in and sign-out
 * still work.
 */
export function registerReadOnlyMode(
  app: FastifyInstance,
  { vault, diskSpace }: { vault: { lockReason: string | null }; diskSpace: { lockReason: string | null } },
): void {
  app.addHook('onRequest', async (request) => {
    const lockReason = vault.lockReason ?? diskSpace.lockReason
    if (!lockReason || request.method === 'GET' || request.is404) return
    const { url = '', config } = request.routeOptions
    if (config.permission === 'open' || config.isRead || url.startsWith('/api/session')) return
    const name = `${request.method} ${url}`
    if (
      vault.lockReason
        ? KEY_RECOVERY_ROUTES.includes(name)
        : SPACE_FREEING_ROUTES.includes(name) || isConsoleDelete(name)
    )
      return
    throw new ProblemError({ kind: 'denied', status: vault.lockReason ? 503 : 507, message: lockReason })
  })
}
