import type { FastifyInstance } from 'fastify'
import { contract } from '#contract/index.ts'
import { ProblemError } from '#contract/problem.ts'

/** What ends the lock: keys are entered again or taken away. */
const FREEING = [contract.console.updateKey, contract.console.deleteKey, contract.console.deleteWorkspace].map(
  ({ method, path }) => `${method} ${path}`,
)

/** While the vault is locked nothing is changed and nothing is sent but reads. Signing in and out go on. */
export function readOnly(app: FastifyInstance, vault: { lock: string | null }): void {
  app.addHook('onRequest', async (request) => {
    if (!vault.lock || request.method === 'GET' || request.is404) return
    const { url = '', config } = request.routeOptions
    if (config.permission === 'open' || url.startsWith('/api/session')) return
    if (FREEING.includes(`${request.method} ${url}`)) return
    throw new ProblemError({ kind: 'denied', status: 503, message: vault.lock })
  })
}
