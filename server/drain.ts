import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Logger } from 'pino'
import type { Env } from './env.ts'
import type { RunExecutor } from './runs/runExecutor.ts'
import type { ServerState } from './serverState.ts'

/** Milliseconds that requests in progress have to end once no run is left. */
const REQUEST_TIMEOUT_MS = 10_000
const REQUEST_POLL_INTERVAL_MS = 20

/** Milliseconds. */
export interface DrainTimes {
  /** How long a stopping server still accepts everything, so that balancers notice. */
  drainMs: number
  /** How long it then waits for its runs. */
  stopTimeoutMs: number
}

/**
 * `DRAIN_SECONDS` and `STOP_TIMEOUT_SECONDS`. With the embedded database no other server could answer meanwhile, and
 * nobody waits two minutes after Ctrl+C.
 */
export function getDrainTimes(env: Pick<Env, 'DATABASE_URL' | 'DRAIN_SECONDS' | 'STOP_TIMEOUT_SECONDS'>): DrainTimes {
  const isShared = env.DATABASE_URL !== undefined
  return {
    drainMs: (env.DRAIN_SECONDS ?? (isShared ? 10 : 0)) * 1000,
    stopTimeoutMs: (env.STOP_TIMEOUT_SECONDS ?? (isShared ? 120 : 5)) * 1000,
  }
}

interface DrainDeps {
  state: ServerState
  executor: Pick<RunExecutor, 'waitForRuns' | 'liveRuns'>
  /** Hands over what other servers can do: rows of batches, and paused runs. */
  handOver: () => void
  log: Logger
}

/** @returns what a server does between the signal to stop and its end, so that nothing is cut */
export function createDrain(app: FastifyInstance, deps: DrainDeps): (times: DrainTimes) => Promise<void> {
  const { state, executor, handOver, log } = deps
  const replies = new Set<FastifyReply>()
  app.addHook('onRequest', async (_request, reply) => {
    replies.add(reply)
    reply.raw.once('close', () => replies.delete(reply))
    // The proxy in front must not keep an idle connection when this server ends.
    if (state.current === 'stopping') void reply.header('connection', 'close')
  })
  return async ({ drainMs, stopTimeoutMs }) => {
    state.set('draining')
    log.info({ drainMs, runs: executor.liveRuns.size }, 'draining')
    handOver()
    await wait(drainMs)
    state.set('stopping')
    log.info({ stopTimeoutMs, runs: executor.liveRuns.size }, 'waiting for runs')
    await executor.waitForRuns(stopTimeoutMs)
    if (executor.liveRuns.size > 0) log.warn({ runs: executor.liveRuns.size }, 'runs are still active')
    app.server.close()
    await waitForReplies(replies)
  }
}

/** Event streams do not end by themselves: they are ended when the app closes, and resume on another server. */
async function waitForReplies(replies: ReadonlySet<FastifyReply>): Promise<void> {
  const until = performance.now() + REQUEST_TIMEOUT_MS
  const hasOpenReply = () => [...replies].some((reply) => !reply.sent)
  while (hasOpenReply() && performance.now() < until) await wait(REQUEST_POLL_INTERVAL_MS)
}
