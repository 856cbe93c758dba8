import type { FastifyReply } from 'fastify'
import type { Ledger } from '../ledger/ledger.ts'
import { sendProblem } from '../plugins/problems.ts'
import type { Elsewhere } from '../runs/elsewhere.ts'

/** Answers the second post of a blocking run from its row, waiting as long as its browser does for the server that carries it. */
export async function replayBlocking(
  reply: FastifyReply,
  { ledger, elsewhere }: { ledger: Ledger; elsewhere: Elsewhere },
  run_id: string,
): Promise<FastifyReply> {
  const following = elsewhere.follow(run_id)
  reply.raw.once('close', following.leave)
  try {
    for (let seq = 0; ;) {
      const news = await following.after(seq)
      if (!news && reply.raw.destroyed) return reply
      if (!news) return sendProblem(reply, { kind: 'invalid', status: 404, message: 'There is no such run.' })
      seq = news.frames.at(-1)?.seq ?? seq
      if (news.end?.problem) return sendProblem(reply, news.end.problem)
      if (news.end)
        return reply.type('application/json').send(JSON.stringify((await ledger.read(run_id))?.reply ?? null))
    }
  } finally {
    following.leave()
  }
}
