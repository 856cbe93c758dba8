import type { FastifyInstance } from 'fastify'
import { contract } from '#contract/index.ts'
import { ProblemError } from '#contract/problem.ts'

/** What ends the lock: keys are entered again or taken away. */
const FREEING = [contract.console.updateKey, contract.console.deleteKey, contract.console.deleteWorkspace].map(
  ({ method, path }) => `${method} ${path}`,
)

/** What makes room: all that is deleted here, and what ends what goes on. */
const MAKES_ROOM = [contract.console.purgeCalls, contract.console.updateRetention, contract.console.pauseBatch].map(
  ({ method, path }) => `${method} ${path}`,
)
const isOwnDelete = (name: string): boolean =>
  name.startsWith('DELETE ') && !name.startsWith('DELETE /api/keys/:key_id/')

/**
 * While the vault is locked or the disk is full nothing is changed and nothing is sent but reads. Signing in and out go on.
 */
export function readOnly(
  app: FastifyInstance,
  { vault, space }: { vault: { lock: string | null }; space: { lock: string | null } },
): void {
  app.addHook('onRequest', async (request) => {
    const lock = vault.lock ?? space.lock
    if (!lock || request.method === 'GET' || request.is404) return
    const { url = '', config } = request.routeOptions
    if (config.permission === 'open' || url.startsWith('/api/session')) return
    const name = `${request.method} ${url}`
    if (vault.lock ? FREEING.includes(name) : MAKES_ROOM.includes(name) || isOwnDelete(name)) return
    throw new ProblemError({ kind: 'denied', status: vault.lock ? 503 : 507, message: lock })
  })
}
