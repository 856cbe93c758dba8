import type { Pool } from 'pg'
import type { AnswerState } from '#domain/answer/answerState.ts'
import type { Alerts } from '#contract/console/stats.ts'
import { isForm } from '#contract/endpoint.ts'
import { platformEntries } from '#contract/platformEntries.ts'
import { toDocumentRecord, isIndexingFinal } from '#domain/documentRecord.ts'
import type { RunState } from '#domain/workflowRun/runState.ts'
import { findDriftSummaries } from '../drift/routes.ts'
import { type CallRow, SUMMARY_COLUMNS } from '../ledger/callRow.ts'
import { type AccessScope, scopeFilter } from '../auth/accessScope.ts'
import { GENERATING_ENTRIES } from '../ledger/runStatus.ts'
import { toRun } from '../runs/toRun.ts'
import { truncateText } from '#contract/truncatedText.ts'
import type { resources } from '../ledger/schema.ts'

/** Limits: failed runs of the last day; the newest failed uploads and documents of each workspace; recent runs. */
const MAX_FAILED_RUNS = 500
const MAX_FAILED_UPLOADS_PER_WORKSPACE = 200
const MAX_DOCUMENTS_PER_WORKSPACE = 200
const MAX_RECENT_RUNS = 10
/** Maximum groups of failures, of uploads and of documents in the reply. */
const MAX_ALERTS = 20
/** Milliseconds without progress after which an indexing job counts as stalled. */
const STALLED_AFTER_MS = 10 * 60_000
const MAX_MESSAGE_CHARS = 300
/** Complete runs whose stream is read for its error message, and the maximum length of such a stream. */
const MAX_ANSWERS_READ = 20
const MAX_ANSWER_CHARS = 200_000

/** Operations that send a file, and the one that sends the rows of an imported table of annotations. */
const UPLOAD_ENTRIES = [...platformEntries]
  .filter(([name, { body }]) => isForm(body) || name === 'annotations.create')
  .map(([name]) => name)

/** The alerts of the home page. The platform's JSON is parsed here, since the database rejects some of it (`\u0000`). */
export async function computeAlerts(
  pool: Pool,
  workspace: string | undefined,
  accessScope: AccessScope,
): Promise<Alerts> {
  const { rows: failed } = await pool.query<CallRow>(
    `SELECT ${SUMMARY_COLUMNS} FROM calls
     WHERE entry = ANY($1) AND status = 'failed' AND created_at > now() - interval '1 day' AND ($2::uuid IS NULL OR workspace_id = $2::uuid)
       AND ${scopeFilter('calls', 3)} ORDER BY created_at DESC LIMIT ${MAX_FAILED_RUNS}`,
    [[...GENERATING_ENTRIES], workspace ?? null, accessScope],
  )
  const { rows: documents } = await pool.query<DocumentResourceRow>(
    `SELECT document.* FROM workspaces, LATERAL (
       SELECT workspace_id, parent, id, label, payload, last_seen FROM resources
       WHERE workspace_id = workspaces.id AND kind = 'document' AND ${scopeFilter('resources', 2)} ORDER BY last_seen DESC LIMIT ${MAX_DOCUMENTS_PER_WORKSPACE}
     ) AS document WHERE ($1::uuid IS NULL OR workspace_id = $1::uuid) AND last_seen > now() - interval '7 days'`,
    [workspace ?? null, accessScope],
  )
  const { rows: runs } = await pool.query<CallRow>(
    `SELECT ${SUMMARY_COLUMNS}, people.name AS person FROM calls LEFT JOIN people ON people.id = calls.person_id
     WHERE entry = ANY($1) AND ($2::uuid IS NULL OR workspace_id = $2::uuid) AND ${scopeFilter('calls', 3)}
     ORDER BY calls.created_at DESC LIMIT ${MAX_RECENT_RUNS}`,
    [[...GENERATING_ENTRIES], workspace ?? null, accessScope],
  )
  const { rows: answers } = await pool.query<{ id: string; answer: unknown }>(
    `SELECT id, answer FROM calls WHERE id = ANY($1) AND length(answer::text) < ${MAX_ANSWER_CHARS}`,
    [failed.flatMap(({ id, problem }) => (problem === null ? id : [])).slice(0, MAX_ANSWERS_READ)],
  )
  const { rows: uploads } = await pool.query<FailedUploadRow>(
    `SELECT upload.* FROM workspaces, LATERAL (
       SELECT id, entry, workspace_id, problem, created_at FROM calls
       WHERE workspace_id = workspaces.id AND status = 'failed' AND created_at > now() - interval '1 day' AND entry = ANY($1)
         AND ${scopeFilter('calls', 3)} ORDER BY created_at DESC LIMIT ${MAX_FAILED_UPLOADS_PER_WORKSPACE}
     ) AS upload WHERE ($2::uuid IS NULL OR workspace_id = $2::uuid) ORDER BY created_at DESC`,
    [UPLOAD_ENTRIES, workspace ?? null, accessScope],
  )
  const messagesByRun = new Map(answers.map(({ id, answer }) => [id, findFailureMessage(answer)]))
  const now = Date.now()
  return {
    failures: groupFailures(failed, messagesByRun).slice(0, MAX_ALERTS),
    refused_uploads: groupRefusedUploads(uploads).slice(0, MAX_ALERTS),
    stalled: documents.flatMap((document) => toStalledDocuments(document, now)).slice(0, MAX_ALERTS),
    drift: await findDriftSummaries(pool, accessScope, workspace),
    runs: runs.map((row) => toRun(row)),
  }
}

type DocumentResourceRow = Omit<typeof resources.$inferSelect, 'kind' | 'first_seen'>

type FailedUploadRow = Pick<CallRow, 'id' | 'entry' | 'workspace_id' | 'problem' | 'created_at'>

/** Refused uploads by workspace and operation, last refused first; rows arrive newest first. */
function groupRefusedUploads(rows: readonly FailedUploadRow[]): Alerts['refused_uploads'] {
  // After “too many requests” a batch sends its row again.
  const refused = rows.filter(({ problem }) => problem?.kind === 'refused' && problem.upstream?.status !== 429)
  const groups = Map.groupBy(refused, ({ workspace_id, entry }) => `${workspace_id} ${entry}`)
  return [...groups.values()].flatMap((group) => {
    const [newest, oldest] = [group[0], group.at(-1)]
    if (!newest || !oldest) return []
    return {
      workspace: newest.workspace_id,
      operation: newest.entry,
      message: truncateText(newest.problem?.message ?? '', MAX_MESSAGE_CHARS),
      count: group.length,
      last_call: newest.id,
      first_at: oldest.created_at.toISOString(),
      last_at: newest.created_at.toISOString(),
    }
  })
}

/** Failed runs by message, largest group first; rows arrive newest first. */
function groupFailures(rows: readonly CallRow[], messagesByRun: ReadonlyMap<string, string>): Alerts['failures'] {
  const failureGroups = new Map<string, Alerts['failures'][number]>()
  for (const row of rows) {
    const message = truncateText(row.problem?.message ?? messagesByRun.get(row.id) ?? '', MAX_MESSAGE_CHARS)
    const name = JSON.stringify([row.key_id, message])
    const group = failureGroups.get(name)
    if (group) group.count++
    else
      failureGroups.set(name, {
        workspace: row.workspace_id,
        key: row.key_id,
        message,
        count: 1,
        last_run: row.id,
        last_at: row.created_at.toISOString(),
      })
  }
  return [...failureGroups.values()].sort((one, other) => other.count - one.count)
}

/** The failure of a complete stream: its error event, or the workflow's own error message. */
function findFailureMessage(answer: unknown): string {
  const { problem, error, run } = (answer ?? {}) as Partial<AnswerState & RunState>
  return problem?.message ?? error ?? run?.error ?? ''
}

function toStalledDocuments(
  { workspace_id, parent, id, label, payload, last_seen }: DocumentResourceRow,
  now: number,
): Alerts['stalled'] {
  const record = toDocumentRecord(payload)
  if (parent === null || !record?.indexing_status || !record.created_at || isIndexingFinal(record)) return []
  const state = record.indexing_status
  const made = record.created_at * 1000
  if (now - made < STALLED_AFTER_MS) return []
  const at = { since: new Date(made).toISOString(), last_seen: last_seen.toISOString() }
  return [{ workspace: workspace_id, dataset: parent, document: id, label, state, ...at }]
}
