import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { isUnresolvedStatus, type RunStatus } from '#contract/console/runs.ts'
import { type Problem, ProblemError } from '#contract/problem.ts'
import { isFinalDetail } from '#domain/workflowRun/runDetail.ts'
import { getRunSeconds } from '#domain/workflowRun/runEnd.ts'
import type { CallRow } from '../../ledger/callRow.ts'
import type { DriftRecorder } from '../../relay/driftRecorder.ts'
import type { Ledger, OrphanedCall } from '../../ledger/ledger.ts'
import type { UpstreamClient } from '../../relay/upstream/upstream.ts'
import type { Vault } from '../../vault/vault.ts'
import { fetchKeptText, fetchRunDetail, type ReconciledRun, applyRunDetailTo } from './fetchRunDetail.ts'
import { applyAcceptedStop } from '../runStops.ts'
import {
  type FoldState,
  GENERATING_ENTRIES,
  getWorkflow,
  getRunIds,
  listRunIds,
  isAnswerState,
  getUsage,
  toRunStatus,
} from '../../ledger/runStatus.ts'
import { refoldRun } from './refoldRun.ts'
import type { RunResumption } from '../resumption/runResumption.ts'
import type { ServerState } from '../../serverState.ts'
import type { ServerLease } from './serverLease.ts'

/** Maximum concurrent lookups per listing and workspace: a platform that hangs delays only its own runs. */
const MAX_CONCURRENT_QUESTIONS = 8

interface OrphanDeps {
  pool: Pool
  ledger: Ledger
  vault: Vault
  upstream: UpstreamClient
  driftRecorder: DriftRecorder
  log: Logger
  resumption: RunResumption
  server_id: string
  silentAfterMs: number
  serverState: Pick<ServerState, 'current'>
  lease: Pick<ServerLease, 'whenValid'>
  /** The ids of runs with a pending lookup of an earlier call. */
  pendingRuns: Set<string>
  /** Aborted when this server stops; the next start repeats pending requests. */
  stopped: AbortSignal
}

/**
 * Ends calls whose server has died, and resumes runs of sleeping servers if the platform offers their events. The
 * stored frames are folded again: a stored terminal event decides the status; a workflow or chatflow is resumed or,
 * if the platform does not offer that, looked up with operation 12; a blocking call may have been executed, so it is
 * unknown; anything else is interrupted. Does not wait for platforms. @returns the number of calls that were ended
 * from stored frames
 */
export async function reconcileOrphans(parts: OrphanDeps): Promise<number> {
  const questions: { row: CallRow; ask: () => Promise<void> }[] = []
  let reconciledCount = 0
  let lastRow: OrphanedCall | null = null
  for (;;) {
    const orphans: OrphanedCall[] = await parts.ledger.listOrphans(parts, lastRow)
    for (const row of orphans) {
      if (parts.pendingRuns.has(row.id)) continue
      const ask = await reconcileOrphan(row, parts).catch((err: unknown) => logFailure(err, row, parts))
      if (ask) questions.push({ row, ask })
      else reconciledCount++
    }
    lastRow = orphans.at(-1) ?? null
    if (!lastRow) break
  }
  for (const { row } of questions) parts.pendingRuns.add(row.id)
  for (const ofWorkspace of Map.groupBy(questions, ({ row }) => row.workspace_id).values())
    for (let worker = 0; worker < MAX_CONCURRENT_QUESTIONS; worker++) void askAll(ofWorkspace, parts)
  return reconciledCount
}

/** Runs lookups until none is left. */
async function askAll(questions: { row: CallRow; ask: () => Promise<void> }[], parts: OrphanDeps): Promise<void> {
  for (let next = questions.shift(); next; next = questions.shift()) {
    const { row, ask } = next
    // A stopping server leaves them to the others.
    if (parts.serverState.current === 'ready') await ask().catch((err: unknown) => logFailure(err, row, parts))
    parts.pendingRuns.delete(row.id)
  }
}

const logFailure = (err: unknown, row: CallRow, { log }: OrphanDeps): void =>
  log.error({ err, run: row.id }, 'reconcile run failed')

/** @returns the lookup that remains for a run whose end only the platform knows */
async function reconcileOrphan(row: OrphanedCall, parts: OrphanDeps): Promise<(() => Promise<void>) | null> {
  const refolded = GENERATING_ENTRIES.includes(row.entry) ? await refoldRun(row, parts.ledger) : null
  const status = refolded ? toRunStatus(refolded.state) : 'interrupted'
  const whileSilent = { owner: row.server_id, silentAfterMs: parts.silentAfterMs }
  if (refolded && status !== 'interrupted')
    await writeRunEnd(row, { refolded, status, isReported: true }, whileSilent, parts)
  else if (refolded && getWorkflow(refolded.state).workflow_run_id) {
    const { state } = refolded
    const askForEnd = async () => {
      const detail = await findPlatformEnd(row, state, parts)
      if (parts.stopped.aborted) return
      const isReported = detail !== null && detail.status !== 'interrupted'
      const end = {
        refolded: detail ? { ...refolded, state: detail.state } : refolded,
        status: detail?.status ?? 'interrupted',
        isReported,
      }
      await parts.lease.whenValid()
      await writeRunEnd(row, end, { owner: parts.server_id }, parts)
    }
    return async () => {
      const takeover = await parts.resumption.takeOver(row, refolded)
      if (!takeover) return
      const ended = takeover.isOver
        .then((isOver) => (isOver || parts.stopped.aborted ? undefined : askForEnd()))
        .catch((err: unknown) => logFailure(err, row, parts))
      // An active run may take hours.
      await Promise.race([takeover.followed, ended])
    }
  } else if (row.is_server_dead) {
    const lost = row.response_mode === 'streaming' ? 'interrupted' : 'unknown'
    await writeRunEnd(row, { refolded, status: lost, isReported: false }, whileSilent, parts)
  }
  return null
}

type RefoldedRun = Awaited<ReturnType<typeof refoldRun>>

async function writeRunEnd(
  row: CallRow,
  { refolded, status, isReported }: { refolded: RefoldedRun | null; status: RunStatus; isReported: boolean },
  condition: { owner: string | null; silentAfterMs?: number },
  { ledger, pool }: OrphanDeps,
) {
  const frames = refolded?.frames ?? 0
  const interruptedMessage =
    status === 'unknown' ? 'The server stopped during this call.' : `The server stopped after frame ${frames}.`
  const state = refolded?.state
  const watchedMs = refolded?.times.last_frame_ms ?? 0
  const seconds = isReported && state && getWorkflow(state).told ? getRunSeconds(getWorkflow(state)) : null
  const end = {
    status,
    frames,
    duration_ms: seconds === null || isUnresolvedStatus(status) ? watchedMs : Math.round(seconds * 1000),
    problem: isReported ? null : ({ kind: 'cut', message: interruptedMessage } as const),
    resource_ids: state ? listRunIds(state) : [],
    ...(refolded && {
      answer: refolded.state,
      bytes: refolded.bytes,
      ...refolded.times,
      ...getRunIds(refolded.state),
      ...getUsage(refolded.state, status),
    }),
  }
  const endedAt = new Date(row.created_at.getTime() + watchedMs)
  await ledger.endCall(row.id, await applyAcceptedStop(pool, row, end, endedAt), { before: 'active', ...condition })
}

/**
 * The state from operation 12, for a chatflow with the message list; null if the platform has none, or the run is
 * still active.
 */
async function findPlatformEnd(
  row: CallRow,
  state: FoldState,
  { vault, upstream, driftRecorder }: OrphanDeps,
): Promise<ReconciledRun | null> {
  try {
    const credential = await vault.getCredential(row.key_id)
    const workflow_run_id = String(getWorkflow(state).workflow_run_id)
    const detailRequest = { credential, workflow_run_id, run_id: row.id }
    const problem: Problem = { kind: 'cut', message: 'The server stopped during this run.' }
    const detail = await fetchRunDetail(detailRequest, { upstream, driftRecorder })
    const keptText =
      isAnswerState(state) && isFinalDetail(detail)
        ? await fetchKeptText(detailRequest, state, row.end_user, { upstream })
        : null
    const reconciled = applyRunDetailTo(detail, { state, status: 'interrupted', problem, isRemote: false, keptText })
    return reconciled.state.ended ? reconciled : null
  } catch (error) {
    if (error instanceof ProblemError) return null
    throw error
  }
}
