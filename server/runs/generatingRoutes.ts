import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Pool } from 'pg'
import type { Endpoint } from '#contract/endpoint.ts'
import { platformEntries } from '#contract/platformEntries.ts'
import { sendJson } from '../http/endpointRoute.ts'
import { sendProblem } from '../http/errors.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { toGeneratingEntry } from '../ledger/runStatus.ts'
import { parseRelayRequest, toRelayRoute } from '../relay/relayRequest.ts'
import { readIdHeader, readOriginHeaders } from '../relay/requestHeaders.ts'
import type { Vault } from '../vault/vault.ts'
import type { RunExecutor } from './runExecutor.ts'
import type { ConnectionQuota } from './subscriptions/connectionQuota.ts'
import type { RemoteRunReader } from './subscriptions/remoteRunReader.ts'
import type { RunSubscriptions } from './subscriptions/runSubscriptions.ts'

interface GeneratingDeps {
  pool: Pool
  vault: Vault
  ledger: Ledger
  executor: RunExecutor
  subscriptions: RunSubscriptions
  quota: ConnectionQuota
  remoteRuns: RemoteRunReader
}

/**
 * One route for each generating platform entry: it starts a run, or joins the run of its `Run-Id`, and responds with
 * it.
 */
export function registerGeneratingRoutes(app: FastifyInstance, deps: GeneratingDeps): void {
  for (const [name, entry] of platformEntries)
    if (entry.events) app.route({ ...toRelayRoute(entry), handler: createRunHandler(name, entry, deps) })
}

function createRunHandler(name: string, entry: Endpoint, deps: GeneratingDeps) {
  const { executor, subscriptions, quota } = deps
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const run_id = readIdHeader(request, 'run-id') ?? randomUUID()
    const parent_id = readIdHeader(request, 'run-parent')
    const origin = readOriginHeaders(request)
    const { credential, params, path, body } = await parseRelayRequest(name, entry, request, deps)
    const isStreaming = (body as { response_mode?: unknown }).response_mode === 'streaming'
    // RFC 7240: the caller watches the run on another connection and does not wait here.
    const isAsync = /(^|,)\s*respond-async\s*(,|;|$)/i.test(String(request.headers.prefer ?? ''))
    // Before the run starts: a refused request must not have run.
    if (isStreaming && !isAsync) quota.add(request, reply.raw)
    const run = await executor.start({
      run_id,
      entry: toGeneratingEntry(name),
      path,
      ...(params.workflow_id && { pinned_workflow_id: params.workflow_id }),
      body: body as Record<string, unknown>,
      person_id: request.person?.id ?? null,
      parent_id,
      origin,
      credential,
    })
    void reply.header('run-id', run_id)
    if (isAsync)
      return reply.code(202).header('preference-applied', 'respond-async').send({ id: run_id, status: 'dispatched' })
    if (!run && !isStreaming) return replayBlockingRun(reply, deps, run_id)
    const firstReply = run ? await run.firstReply : { stream: true as const }
    if ('problem' in firstReply || ('text' in firstReply && !isStreaming)) {
      await run?.ended
      return 'problem' in firstReply
        ? sendProblem(reply, firstReply.problem)
        : reply.type('application/json; charset=utf-8').send(firstReply.text)
    }
    subscriptions.subscribeStream(reply, run_id, run, 0, request.sessionId)
    return undefined
  }
}

/**
 * Answers the second POST of a blocking run from its row. It waits for the executing server as long as its browser
 * does.
 */
async function replayBlockingRun(
  reply: FastifyReply,
  { ledger, remoteRuns }: Pick<GeneratingDeps, 'ledger' | 'remoteRuns'>,
  run_id: string,
): Promise<FastifyReply> {
  const reader = remoteRuns.subscribe(run_id)
  reply.raw.once('close', reader.unsubscribe)
  try {
    for (let seq = 0; ;) {
      const update = await reader.readAfter(seq)
      if (!update && reply.raw.destroyed) return reply
      if (!update) return sendProblem(reply, { kind: 'invalid', status: 404, message: 'The run was not found.' })
      seq = update.frames.at(-1)?.seq ?? seq
      if (update.end?.problem) return sendProblem(reply, update.end.problem)
      if (update.end) return sendJson(reply, (await ledger.findWithBody(run_id))?.reply ?? null)
    }
  } finally {
    reader.unsubscribe()
  }
}
