import type { Logger } from 'pino'
import type { RunStatus } from '#contract/runs.ts'
import { type Problem, ProblemError } from '#contract/problem.ts'
import type { RunState } from '#contract/run.ts'
import type { CallRow } from '../ledger/call.ts'
import type { Drifts } from '../drift/drifts.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Upstream } from '../relay/upstream.ts'
import type { Vault } from '../vault/vault.ts'
import { askRun, type Settled, settledBy } from './asking.ts'
import { GENERATING, idsOf, namesOf, isAnswer, usageOf, verdict } from './outcome.ts'
import { refold } from './refold.ts'

/** How many platforms are asked at once. */
const ASKED_AT_ONCE = 8

interface Parts {
  ledger: Ledger
  vault: Vault
  upstream: Upstream
  drifts: Drifts
  log: Logger
  /** Aborted when this server stops: what is still asked then is left to the next start. */
  stopped: AbortSignal
}

/**
 * Gives an honest end to calls whose server has died. What came is folded again from the table: a run whose last word had
 * come is what it says; a workflow is asked of operation 12; a call that was to be answered whole may have been done; the
 * rest is interrupted. `settled` counts those that needed no question; `asking` resolves when the platforms have answered
 * or kept silent, so that no start waits for a platform.
 */
export async function settleOrphans(
  parts: Parts & {
    server_id: string
    /** Milliseconds for which a server may be silent. */
    lease: number
  },
): Promise<{ settled: number; asking: Promise<unknown> }> {
  const dead = { server_id: parts.server_id, lease: parts.lease }
  const questions: (() => Promise<void>)[] = []
  let settled = 0
  let last: CallRow | null = null
  for (;;) {
    const orphans: CallRow[] = await parts.ledger.orphans(dead, last)
    for (const row of orphans) {
      const question = await settle(row, parts).catch((err: unknown) => complain(err, row, parts))
      if (question) questions.push(() => question().catch((err: unknown) => complain(err, row, parts)))
      else settled++
    }
    last = orphans.at(-1) ?? null
    if (!last) break
  }
  const ask = async (): Promise<void> => {
    for (let next = questions.shift(); next; next = questions.shift()) await next()
  }
  return { settled, asking: Promise.all(Array.from({ length: ASKED_AT_ONCE }, ask)) }
}

const complain = (err: unknown, row: CallRow, { log }: Parts): void =>
  log.error({ err, run: row.id }, 'run not settled')

/** @returns the question that is left, for a run of which only the platform knows the end. */
async function settle(row: CallRow, parts: Parts): Promise<(() => Promise<void>) | null> {
  const came = GENERATING.includes(row.entry) ? await refold(row, parts.ledger) : null
  const said = came ? verdict(came.state) : 'interrupted'
  if (came && said !== 'interrupted') await finish(row, came, said, true, parts)
  else if (came && !isAnswer(came.state) && came.state.workflow_run_id) {
    const { state } = came
    return async () => {
      const told = await tellingOf(row, state, parts)
      if (parts.stopped.aborted) return
      const isTold = told !== null && told.status !== 'interrupted'
      await finish(row, told ? { ...came, state: told.state } : came, told?.status ?? 'interrupted', isTold, parts)
    }
  } else await finish(row, came, row.response_mode === 'streaming' ? 'interrupted' : 'unknown', false, parts)
  return null
}

type Came = Awaited<ReturnType<typeof refold>>

async function finish(row: CallRow, came: Came | null, status: RunStatus, isTold: boolean, { ledger }: Parts) {
  const frames = came?.frames ?? 0
  const cut =
    status === 'unknown'
      ? 'The console’s server stopped during this call.'
      : `The console’s server stopped after frame ${frames}.`
  await ledger.end(
    row.id,
    {
      status,
      frames,
      duration_ms: came?.last ?? 0,
      problem: isTold ? null : { kind: 'cut', message: cut },
      made: came ? namesOf(came.state) : [],
      ...(came && {
        answer: came.state,
        bytes: came.bytes,
        first_frame_ms: came.firstFrame,
        first_token_ms: came.firstToken,
        ...idsOf(came.state),
        ...usageOf(came.state),
      }),
    },
    { unlessEnded: true },
  )
}

/** What operation 12 makes of it; null when the platform does not say, or says that it goes on. */
async function tellingOf(row: CallRow, state: RunState, { vault, upstream, drifts }: Parts): Promise<Settled | null> {
  try {
    const credential = await vault.credential(row.key_id)
    const question = { credential, workflow_run_id: String(state.workflow_run_id), run_id: row.id }
    const problem: Problem = { kind: 'cut', message: 'The console’s server stopped during this run.' }
    const settled = settledBy(await askRun(question, { upstream, drifts }), {
      state,
      status: 'interrupted',
      problem,
      elsewhere: false,
    })
    return settled.state.ended ? settled : null
  } catch (error) {
    if (error instanceof ProblemError) return null
    throw error
  }
}
