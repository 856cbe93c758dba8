import type { FastifyReply } from 'fastify'
import type { Ledger } from '../ledger/ledger.ts'
import { sendProblem } from '../http/errors.ts'
import type { RemoteRunReader } from './subscriptions/remoteRunReader.ts'

/** Answers the second post of a blocking run from its row, waiting as long as its browser does for the server that carries it. */
export async function replayBlockingRun(
  reply: FastifyReply,
  { ledger, remoteRuns }: { ledger: Ledger; remoteRuns: RemoteRunReader },
  run_id: string,
): Promise<FastifyReply> {
  const reader = remoteRuns.subscribe(run_id)
  reply.raw.once('close', reader.unsubscribe)
  try {
    for (let seq = 0; ;) {
      const update = await reader.readAfter(seq)
      if (!update && reply.raw.destroyed) return reply
      if (!update) return sendProblem(reply, { kind: 'invalid', status: 404, message: 'There is no such run.' })
      seq = update.frames.at(-1)?.seq ?? seq
      if (update.end?.problem) return sendProblem(reply, update.end.problem)
      if (update.end)
        return reply.type('application/json').send(JSON.stringify((await ledger.findWithBody(run_id))?.reply ?? null))
    }
  } finally {
    reader.unsubscribe()
  }
}
