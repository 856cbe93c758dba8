import type { Pool } from 'pg'
import type { AnswerState } from '#contract/answer.ts'
import type { Attention } from '#contract/figures.ts'
import { documentOf, isFinal } from '#contract/records.ts'
import type { RunState } from '#contract/run.ts'
import { driftNews } from '../drift/routes.ts'
import { type CallRow, SMALL } from '../ledger/call.ts'
import { type Reach, seenBy } from '../access/reach.ts'
import { GENERATING } from '../runs/outcome.ts'
import { runOf } from '../runs/row.ts'

/** So many failed runs of the last day are looked at, and so many documents of each workspace, the newest. */
const FAILED = 500
const DOCUMENTS = 200
const RUNS = 10
/** Groups of failures, and documents, that are told. */
const TOLD = 20
/** Milliseconds after which an indexing that does not move is worth a look. */
const PATIENCE = 10 * 60_000
const MESSAGE = 300
/** So many of them, whose call came whole, are asked what the stream itself said, as long as that is no longer. */
const ASKED = 20
const LONGEST = 200_000

/** What a person should look at. JSON of the platform's is read here, not in the database, which refuses some of it (`\u0000`). */
export async function attention(pool: Pool, workspace?: string, reach: Reach = null): Promise<Attention> {
  const { rows: failed } = await pool.query<CallRow>(
    `SELECT ${SMALL} FROM calls
     WHERE entry = ANY($1) AND status = 'failed' AND created_at > now() - interval '1 day' AND ($2::uuid IS NULL OR workspace_id = $2::uuid)
       AND ${seenBy('calls', 3)} ORDER BY created_at DESC LIMIT ${FAILED}`,
    [[...GENERATING], workspace ?? null, reach],
  )
  const { rows: documents } = await pool.query<Seen>(
    `SELECT document.* FROM workspaces, LATERAL (
       SELECT workspace_id, parent, id, label, payload, last_seen FROM things
       WHERE workspace_id = workspaces.id AND kind = 'document' AND ${seenBy('things', 2)} ORDER BY last_seen DESC LIMIT ${DOCUMENTS}
     ) AS document WHERE ($1::uuid IS NULL OR workspace_id = $1::uuid) AND last_seen > now() - interval '7 days'`,
    [workspace ?? null, reach],
  )
  const { rows: runs } = await pool.query<CallRow>(
    `SELECT ${SMALL}, people.name AS person FROM calls LEFT JOIN people ON people.id = calls.person_id
     WHERE entry = ANY($1) AND ($2::uuid IS NULL OR workspace_id = $2::uuid) AND ${seenBy('calls', 3)}
     ORDER BY calls.created_at DESC LIMIT ${RUNS}`,
    [[...GENERATING], workspace ?? null, reach],
  )
  const { rows: answers } = await pool.query<{ id: string; answer: unknown }>(
    `SELECT id, answer FROM calls WHERE id = ANY($1) AND length(answer::text) < ${LONGEST}`,
    [failed.flatMap(({ id, problem }) => (problem === null ? id : [])).slice(0, ASKED)],
  )
  const said = new Map(answers.map(({ id, answer }) => [id, saidBy(answer)]))
  const now = Date.now()
  return {
    failures: groupsOf(failed, said).slice(0, TOLD),
    stalled: documents.flatMap((document) => stalledOf(document, now)).slice(0, TOLD),
    drift: await driftNews(pool, reach, workspace),
    runs: runs.map((row) => runOf(row)),
  }
}

interface Seen {
  workspace_id: string
  parent: string | null
  id: string
  label: string | null
  payload: unknown
  last_seen: Date
}

/** Runs that failed with the same words, the largest group first; rows come newest first. */
function groupsOf(rows: readonly CallRow[], said: ReadonlyMap<string, string>): Attention['failures'] {
  const groups = new Map<string, Attention['failures'][number]>()
  for (const row of rows) {
    const message = (row.problem?.message ?? said.get(row.id) ?? '').slice(0, MESSAGE)
    const name = JSON.stringify([row.key_id, message])
    const group = groups.get(name)
    if (group) group.count++
    else
      groups.set(name, {
        workspace: row.workspace_id,
        key: row.key_id,
        message,
        count: 1,
        last_run: row.id,
        last_at: row.created_at.toISOString(),
      })
  }
  return [...groups.values()].sort((one, other) => other.count - one.count)
}

/** Why a stream that came whole was a failure: its error event, or the workflow's own words. */
function saidBy(answer: unknown): string {
  const { problem, error, run } = (answer ?? {}) as Partial<AnswerState & RunState>
  return problem?.message ?? error ?? run?.error ?? ''
}

function stalledOf({ workspace_id, parent, id, label, payload, last_seen }: Seen, now: number): Attention['stalled'] {
  const record = documentOf(payload)
  if (parent === null || !record?.indexing_status || !record.created_at || isFinal(record)) return []
  const state = record.indexing_status
  const made = record.created_at * 1000
  if (now - made < PATIENCE) return []
  const at = { since: new Date(made).toISOString(), last_seen: last_seen.toISOString() }
  return [{ workspace: workspace_id, dataset: parent, document: id, label, state, ...at }]
}
