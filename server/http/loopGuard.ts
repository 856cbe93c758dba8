import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import { ProblemError } from '#contract/problem.ts'

export const HOP_HEADER = 'x-loupe-hop'

/**
 * Rejects a request that this console, or another server on its database, sent to a platform that is the console
 * itself under another name: it would be relayed in an endless loop.
 */
export function registerLoopGuard(app: FastifyInstance, { server_id, pool }: { server_id: string; pool: Pool }): void {
  app.addHook('onRequest', async (request) => {
    const hop = request.headers[HOP_HEADER]
    if (typeof hop !== 'string') return
    if (hop === server_id || (await isServer(pool, hop)))
      throw new ProblemError({
        kind: 'denied',
        status: 508,
        message: 'This console sent the request to itself: the platform’s URL points back here.',
      })
  })
}

async function isServer(pool: Pool, id: string): Promise<boolean> {
  const { rowCount } = await pool.query('SELECT 1 FROM servers WHERE id::text = $1', [id.slice(0, 64)])
  return (rowCount ?? 0) > 0
}
