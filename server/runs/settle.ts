import type { Logger } from 'pino'
import { fill } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'
import { eventOf } from '#contract/frame.ts'
import type { RunStatus } from '#contract/console.ts'
import { ProblemError } from '#contract/problem.ts'
import type { CallRow, Ledger } from '../ledger/ledger.ts'
import { LIMITS, parsed, readText, type Upstream } from '../relay/upstream.ts'
import type { Vault } from '../vault/vault.ts'
import { type FoldState, idsOf, isAnswer, usageOf, verdict } from './outcome.ts'

const PAGE = 5000

/**
 * Gives an honest end to runs whose server has died. What came is folded again from the table: a run whose last word had
 * come is what it says; a workflow is asked of operation 12; a blocking call may have been done; the rest is interrupted.
 */
export async function settleOrphans(parts: {
  server_id: string
  /** Milliseconds for which a server may be silent. */
  lease: number
  ledger: Ledger
  vault: Vault
  upstream: Upstream
  log: Logger
}): Promise<number> {
  const orphans = await parts.ledger.orphans({ server_id: parts.server_id, since: new Date(Date.now() - parts.lease) })
  for (const row of orphans)
    await settle(row, parts).catch((err: unknown) => parts.log.error({ err, run: row.id }, 'run not settled'))
  return orphans.length
}

async function settle(
  row: CallRow,
  { ledger, vault, upstream }: { ledger: Ledger; vault: Vault; upstream: Upstream },
): Promise<void> {
  const { state, frames, bytes, last } = await refold(row, ledger)
  const said = verdict(state)
  const status = said === 'interrupted' ? await ask(row, state, vault, upstream) : said
  await ledger.end(row.id, {
    status,
    answer: state,
    frames,
    bytes,
    duration_ms: last,
    problem:
      status === 'succeeded'
        ? null
        : status === 'unknown'
          ? {
              kind: 'cut',
              message: 'The console’s server stopped during this call. It may have finished and been charged.',
            }
          : { kind: 'cut', message: `The console’s server stopped after frame ${frames}. What came is kept.` },
    ...idsOf(state),
    ...usageOf(state),
  })
}

async function refold(row: CallRow, ledger: Ledger) {
  const { initial, fold } = eventsOf(row)
  let state: FoldState = initial
  let frames = 0
  let bytes = 0
  let last = 0
  for (;;) {
    const page = await ledger.frames(row.id, frames, PAGE)
    for (const frame of page) {
      const event = eventOf(frame.block)
      if (event !== undefined) state = fold(state, event)
      frames = frame.seq
      bytes += frame.bytes
      last = frame.at
    }
    if (page.length < PAGE) return { state, frames, bytes, last }
  }
}

function eventsOf(row: CallRow): { initial: FoldState; fold: (state: FoldState, event: unknown) => FoldState } {
  const entry =
    row.entry === 'workflows.run'
      ? contract.workflows.run
      : row.entry === 'chat.send'
        ? contract.chat.send
        : contract.completion.send
  return entry.events as never
}

async function ask(row: CallRow, state: FoldState, vault: Vault, upstream: Upstream): Promise<RunStatus> {
  const { workflow_run_id } = idsOf(state)
  if (!isAnswer(state) && workflow_run_id) {
    const told = await statusAt(row, workflow_run_id, vault, upstream)
    if (told === 'succeeded' || told === 'failed' || told === 'stopped') return told
  }
  return row.response_mode === 'blocking' ? 'unknown' : 'interrupted'
}

/** Operation 12; null when the platform does not say. */
async function statusAt(row: CallRow, workflow_run_id: string, vault: Vault, upstream: Upstream): Promise<unknown> {
  const params = contract.workflows.readRun.params.safeParse({ workflow_run_id })
  if (!params.success) return null
  try {
    const credential = await vault.credential(row.key_id)
    const path = fill(contract.workflows.readRun.path, params.data)
    const answer = await upstream.send(
      credential,
      { method: 'GET', path, accept: 'application/json', patience: LIMITS.read },
      row.id,
    )
    const reply = parsed(await readText(answer, credential.secret))
    return answer.status === 200 ? (reply as { status?: unknown } | null)?.status : null
  } catch (error) {
    if (error instanceof ProblemError) return null
    throw error
  }
}
