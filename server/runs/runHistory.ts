import type { CallRow } from '../ledger/callRow.ts'
import type { Pool } from 'pg'
import { emptyRun, type RunState, type RunNode } from '#domain/workflowRun/runState.ts'
import type { FailureGroup, KnownNode } from '#contract/console/runInsights.ts'
import { type AccessScope, SCOPE_CONDITIONS } from '../auth/accessScope.ts'
import { toWhereClause } from '../db/sqlConditions.ts'

/** The number of earlier runs whose nodes are collected, and the maximum of nodes in the reply. */
const MAX_EARLIER_RUNS = 5
const MAX_NODES = 1_000
/** Limits of the search for failures: failed runs, runs per page, and runs listed per failure. */
const MAX_SCANNED_FAILURES = 100
const PAGE_ROWS = 10
const MAX_RUNS_PER_FAILURE = 20
/** Maximum length of an answer to parse: a longer one would block the event loop. */
const MAX_ANSWER_CHARS = 4_000_000

/** The nodes of the newest runs of the same app and workflow. */
export async function findKnownNodes(
  pool: Pool,
  run: { id: string; workspace_id: string; key_id: string; workflow_id: string | null },
): Promise<{ nodes: KnownNode[]; runs: number }> {
  const { rows } = await pool.query<{ answer: RunState | null }>(
    `SELECT answer FROM calls WHERE workspace_id = $1 AND key_id = $2 AND entry = 'workflows.run' AND id <> $3
       AND status NOT IN ('created', 'dispatched', 'streaming') AND frames > 0 AND length(answer::text) < ${MAX_ANSWER_CHARS}
     ORDER BY created_at DESC LIMIT ${MAX_EARLIER_RUNS}`,
    [run.workspace_id, run.key_id, run.id],
  )
  const nodes = new Map<string, KnownNode>()
  let runs = 0
  for (const { answer } of rows) {
    if (!answer || answer.workflow_id !== run.workflow_id) continue
    runs++
    for (const { node_id, node_type, title, parent } of answer.nodes) {
      if (node_id === null || nodes.has(node_id) || nodes.size >= MAX_NODES) continue
      nodes.set(node_id, { node_id, node_type, title, parent })
    }
  }
  return { nodes: [...nodes.values()], runs }
}

type FailedRow = Pick<CallRow, 'id' | 'title' | 'created_at' | 'problem' | 'error_message'> & {
  answer: RunState | null
}

/** The failures of the newest failed runs of an app, by node and message, most frequent first. */
export async function groupFailedRuns(
  pool: Pool,
  query: { key: string; from?: string | undefined; to?: string | undefined },
  accessScope: AccessScope,
): Promise<{ failures: FailureGroup[]; looked_at: number }> {
  const { clause, values } = toWhereClause([
    ['key_id = ?', query.key],
    ['entry = ?', 'workflows.run'],
    ['status = ?', 'failed'],
    ['created_at >= ?', query.from],
    ['created_at < ?', query.to],
    [SCOPE_CONDITIONS.calls, accessScope ?? undefined],
  ])
  const groups = new Map<string, FailureGroup>()
  let looked_at = 0
  while (looked_at < MAX_SCANNED_FAILURES) {
    const { rows } = await pool.query<FailedRow>(
      `SELECT id, title, created_at, problem, error_message, CASE WHEN length(answer::text) < ${MAX_ANSWER_CHARS} THEN answer END AS answer
       FROM calls ${clause} ORDER BY created_at DESC, id LIMIT ${PAGE_ROWS} OFFSET ${looked_at}`,
      values,
    )
    for (const row of rows) addToFailureGroup(groups, row)
    looked_at += rows.length
    if (rows.length < PAGE_ROWS) break
  }
  return { failures: [...groups.values()].sort((one, other) => other.count - one.count), looked_at }
}

function addToFailureGroup(
  groups: Map<string, FailureGroup>,
  { id, title, created_at, problem, error_message, answer }: FailedRow,
): void {
  const { node, error } = locateFailure(answer ?? emptyRun, problem?.message ?? error_message ?? '')
  const key = JSON.stringify([node?.node_id ?? node?.title ?? null, toFailureSignature(error)])
  const at = created_at.toISOString()
  const group = groups.get(key) ?? {
    node_id: node?.node_id ?? null,
    node_type: node?.node_type ?? null,
    title: node?.title ?? null,
    error,
    count: 0,
    last_at: at,
    runs: [],
  }
  group.count++
  if (group.runs.length < MAX_RUNS_PER_FAILURE) group.runs.push({ id, title, created_at: at })
  groups.set(key, group)
}

interface FailureLocation {
  node: RunNode | null
  error: string
}

/**
 * Where a run failed: the innermost failed node, or the last of several; no node if the run failed as a whole.
 * `fallback` is the error known from outside the run's state.
 */
export function locateFailure(run: RunState, fallback: string): FailureLocation {
  const failed = run.nodes.filter(({ status }) => status === 'failed')
  const node = failed.findLast(({ kind }) => kind === 'node') ?? failed.at(-1) ?? null
  return { node, error: node?.error ?? run.error ?? run.problem?.message ?? fallback }
}

/** Failures are equal if their messages differ only in ids, numbers and quoted values. */
export const toFailureSignature = (error: string): string =>
  error
    .slice(0, 500)
    .toLowerCase()
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27,}|0x[0-9a-f]+|\d[\d.,:]*/g, '#')
    .replace(/(["'“”‘’`])(?:(?!\1)[^“”‘’]){1,200}?["'“”‘’`]/g, '…')
    .replace(/\s+/g, ' ')
    .trim()
