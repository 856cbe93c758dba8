import type { FastifyInstance } from 'fastify'
import { contract } from '#contract/index.ts'
import { ProblemError } from '#contract/problem.ts'

/** What ends the lock: keys are entered again or taken away. */
const KEY_RECOVERY_ROUTES = [
  contract.console.updateKey,
  contract.console.deleteKey,
  contract.console.deleteWorkspace,
].map(({ method, path }) => `${method} ${path}`)

/** What makes room: all that is deleted here, and what ends what goes on. */
const SPACE_FREEING_ROUTES = [
  contract.console.purgeCalls,
  contract.console.updateRetention,
  contract.console.pauseBatch,
].map(({ method, path }) => `${method} ${path}`)
const isConsoleDelete = (name: string): boolean =>
  name.startsWith('DELETE ') && !name.startsWith('DELETE /api/keys/:key_id/')

/**
 * While the vault is locked or the disk is full nothing is changed and nothing is sent but reads. Signing in and out go on.
 */
export function registerReadOnlyMode(
  app: FastifyInstance,
  { vault, diskSpace }: { vault: { lockReason: string | null }; diskSpace: { lockReason: string | null } },
): void {
  app.addHook('onRequest', async (request) => {
    const lockReason = vault.lockReason ?? diskSpace.lockReason
    if (!lockReason || request.method === 'GET' || request.is404) return
    const { url = '', config } = request.routeOptions
    if (config.permission === 'open' || url.startsWith('/api/session')) return
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
