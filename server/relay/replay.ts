import type { FastifyReply } from 'fastify'
import { isLive } from '#contract/runs.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { sendProblem } from '../plugins/problems.ts'

const POLL = 250

/** Answers the second post of a blocking run from its row, waiting as long as its browser does for the server that carries it. */
export async function replayBlocking(reply: FastifyReply, ledger: Ledger, run_id: string): Promise<FastifyReply> {
  for (;;) {
    const row = await ledger.brief(run_id)
    if (!row) return sendProblem(reply, { kind: 'invalid', status: 404, message: 'There is no such run.' })
    if (!isLive(row.status))
      return row.problem
        ? sendProblem(reply, row.problem)
        : reply.type('application/json').send(JSON.stringify((await ledger.read(run_id))?.reply ?? null))
    if (reply.raw.destroyed) return reply
    await new Promise((resolve) => setTimeout(resolve, POLL))
  }
}
