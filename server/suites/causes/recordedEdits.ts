import type { Pool } from 'pg'
import { z } from 'zod'
import { RetrievalModel } from '#contract/platform/schemas.ts'
import { type CauseKind, MAX_EXAMINED_EDITS } from '#contract/console/experiments/experimentCauses.ts'
import type { ExperimentDifference } from '#contract/console/suites.ts'
import type { RecordedEdit, SettingsChange } from '#domain/experiments/rankCauses.ts'
import { toPassageText } from '#domain/retrieval/passageText.ts'
import { type AccessScope, scopeFilter } from '../../auth/accessScope.ts'
import type { calls } from '../../ledger/schema.ts'

/** The effect of an entry of the contract on a segment or a document. */
const CONTENT_ENTRIES: Record<string, CauseKind> = {
  'adjacent.updateSegment': 'segment_edited',
  'adjacent.deleteSegment': 'segment_deleted',
  'adjacent.createSegments': 'segment_added',
  'segments.createChildChunk': 'child_chunks_edited',
  'segments.updateChildChunk': 'child_chunks_edited',
  'adjacent.deleteChildChunk': 'child_chunks_edited',
  'documents.createByText': 'document_added',
  'adjacent.createByFile': 'document_added',
  'documents.updateByText': 'document_replaced',
  'documents.updateByFile': 'document_replaced',
  'adjacent.updateDocument': 'document_replaced',
  'adjacent.deleteDocument': 'document_deleted',
}
/** Entries whose documents are in the body are found by their dataset. */
const STATUS_ENTRY = 'adjacent.setDocumentStatus'
const DATASET_ENTRIES = ['datasets.update', 'adjacent.deleteDataset']
/** Maximum segments and documents whose edits are looked up: each is an index search. */
const MAX_EXAMINED_IDS = 5_000
/** Maximum bytes of a stored request; a larger one is not read, and its content counts as unknown. */
const MAX_REQUEST_BYTES = 262_144

/** Lenient: a call stores what a client sent. */
const SegmentBody = z.object({
  segment: z.looseObject({
    content: z.string().optional(),
    answer: z.string().nullish(),
    enabled: z.boolean().optional(),
  }),
})
const DocumentBody = z.object({ text: z.string().optional(), process_rule: z.unknown().optional() })
const StatusBody = z.object({ document_ids: z.array(z.string()) })
const DatasetSettings = z
  .object({
    indexing_technique: z.string().nullish(),
    embedding_model: z.string().nullish(),
    embedding_model_provider: z.string().nullish(),
    retrieval_model: RetrievalModel.nullish(),
    retrieval_model_dict: RetrievalModel.nullish(),
  })
  .catch({})
type DatasetSettings = z.output<typeof DatasetSettings>

type EditRow = Pick<
  typeof calls.$inferSelect,
  'id' | 'entry' | 'created_at' | 'params' | 'resource_ids' | 'request'
> & {
  person: string | null
}

export interface EditQuery {
  workspace: string
  from: Date
  to: Date
  reach: AccessScope
}

/**
 * The recorded edits of these segments and documents, in order: of more than `MAX_EXAMINED_EDITS` the newest, and of
 * more than `MAX_EXAMINED_IDS` those of the first.
 */
export async function listRecordedEdits(
  pool: Pool,
  { workspace, from, to, reach }: EditQuery,
  { ids, datasets }: { ids: readonly string[]; datasets: readonly string[] },
): Promise<{ edits: RecordedEdit[]; isComplete: boolean }> {
  const { rows } = await pool.query<EditRow>(
    `SELECT calls.id, calls.entry, people.name AS person, calls.created_at, calls.params, calls.resource_ids,
       CASE WHEN pg_column_size(calls.request) <= ${MAX_REQUEST_BYTES} THEN calls.request END AS request
     FROM calls LEFT JOIN people ON people.id = calls.person_id
     WHERE calls.workspace_id = $1 AND calls.created_at >= $2 AND calls.created_at <= $3 AND calls.status = 'succeeded'
       AND (calls.entry = ANY($4) AND calls.resource_ids && $5::text[] OR calls.entry = '${STATUS_ENTRY}' AND calls.resource_ids && $6::text[])
       AND ${scopeFilter('calls', 7)}
     ORDER BY calls.created_at DESC, calls.id LIMIT ${MAX_EXAMINED_EDITS + 1}`,
    [workspace, from, to, Object.keys(CONTENT_ENTRIES), ids.slice(0, MAX_EXAMINED_IDS), datasets, reach],
  )
  const known = new Set(ids)
  const isComplete = rows.length <= MAX_EXAMINED_EDITS && ids.length <= MAX_EXAMINED_IDS
  const newest = rows.slice(0, MAX_EXAMINED_EDITS).reverse()
  return { edits: newest.flatMap((row) => toRecordedEdits(row, known)), isComplete }
}

function toRecordedEdits(row: EditRow, known: ReadonlySet<string>): RecordedEdit[] {
  const { dataset_id = null, document_id = null, segment_id = null, action } = row.params ?? {}
  const edit = { call: row.id, person: row.person, at: row.created_at.getTime(), dataset_id, text: null }
  if (row.entry === STATUS_ENTRY) {
    const { data } = StatusBody.safeParse(row.request)
    const kind = action === 'enable' || action === 'un_archive' ? 'document_enabled' : 'document_disabled'
    return (data?.document_ids ?? [])
      .filter((id) => known.has(id))
      .map((id) => ({ ...edit, kind, document_id: id, segment_id: null }))
  }
  const kind = CONTENT_ENTRIES[row.entry]
  if (!kind) return []
  if (kind === 'segment_edited') return toSegmentEdits(row, { ...edit, kind, document_id, segment_id })
  if (segment_id !== null) return [{ ...edit, kind, document_id, segment_id }]
  // The reply names what a call adds.
  const made = (row.resource_ids ?? []).filter((id) => known.has(id) && id !== dataset_id && id !== document_id)
  if (kind === 'segment_added') return made.map((id) => ({ ...edit, kind, document_id, segment_id: id }))
  if (kind === 'document_added') return made.map((id) => ({ ...edit, kind, document_id: id, segment_id: null }))
  const { data } = DocumentBody.safeParse(row.request)
  if (row.entry === 'documents.updateByText' && data && data.text === undefined && data.process_rule === undefined)
    return []
  return [{ ...edit, kind, document_id, segment_id, text: data?.text ?? null }]
}

/** Edits of the segment's text and of whether it is enabled. */
function toSegmentEdits({ request }: EditRow, edit: RecordedEdit): RecordedEdit[] {
  const { data } = SegmentBody.safeParse(request)
  if (!data) return [edit]
  const { content, answer, enabled, ...others } = data.segment
  const hasText = content !== undefined || enabled === undefined || Object.keys(others).length > 0
  return [
    ...(hasText ? [{ ...edit, text: content === undefined ? null : toPassageText({ content, answer }) }] : []),
    ...(enabled === undefined ? [] : [{ ...edit, kind: enabled ? 'segment_enabled' : 'segment_disabled' } as const]),
  ]
}

/** The settings of datasets that differ from their earlier values, by the last call that changed them. */
export async function listSettingsChanges(
  pool: Pool,
  { workspace, from, to, reach }: EditQuery,
  datasets: readonly string[],
): Promise<SettingsChange[]> {
  const { rows } = await pool.query<EditRow & { reply: unknown; is_before: boolean }>(
    `SELECT calls.id, calls.entry, people.name AS person, calls.created_at, calls.params, calls.resource_ids, calls.request,
       calls.reply, calls.created_at < $2 AS is_before
     FROM unnest($4::text[]) AS dataset(id), LATERAL (
       (SELECT * FROM calls WHERE calls.workspace_id = $1 AND calls.resource_ids @> ARRAY[dataset.id] AND calls.created_at < $2
          AND calls.entry IN ('datasets.create', 'datasets.update') AND calls.status = 'succeeded' AND ${scopeFilter('calls', 6)}
        ORDER BY calls.created_at DESC LIMIT 1)
       UNION ALL
       (SELECT * FROM calls WHERE calls.workspace_id = $1 AND calls.resource_ids @> ARRAY[dataset.id] AND calls.created_at >= $2
          AND calls.created_at <= $3 AND calls.entry = ANY($5) AND calls.status = 'succeeded' AND ${scopeFilter('calls', 6)}
        ORDER BY calls.created_at DESC LIMIT ${MAX_SETTINGS_EDITS})
     ) AS calls LEFT JOIN people ON people.id = calls.person_id ORDER BY calls.created_at, calls.id`,
    [workspace, from, to, datasets, DATASET_ENTRIES, reach],
  )
  return datasets.flatMap((dataset_id) => {
    const own = rows.filter(({ resource_ids }) => resource_ids?.includes(dataset_id))
    return toSettingsChange(
      dataset_id,
      own.find(({ is_before }) => is_before)?.reply,
      own.filter(({ is_before }) => !is_before),
    )
  })
}

/** Maximum changes of settings per dataset. */
const MAX_SETTINGS_EDITS = 100

function toSettingsChange(
  dataset_id: string,
  replyBefore: unknown,
  edits: readonly (EditRow & { reply: unknown })[],
): SettingsChange[] {
  const last = edits.at(-1)
  if (!last) return []
  const change = { call: last.id, person: last.person, at: last.created_at.getTime(), dataset_id }
  if (last.entry === 'adjacent.deleteDataset') return [{ ...change, kind: 'dataset_deleted', differences: [] }]
  const edited = new Set(edits.flatMap(({ request }) => [...toSettings(DatasetSettings.parse(request)).keys()]))
  const [older, newer] = [replyBefore, last.reply].map((reply) => toSettings(DatasetSettings.parse(reply)))
  const differences = [...edited].flatMap((name): ExperimentDifference[] => {
    const [before, after] = [older?.get(name) ?? null, newer?.get(name) ?? null]
    return before === after ? [] : [{ name, before, after }]
  })
  return differences.length === 0 ? [] : [{ ...change, kind: 'dataset_settings', differences }]
}

/** Named as in the interface, for example `retrieval_model.top_k`. */
function toSettings({ retrieval_model, retrieval_model_dict, ...others }: DatasetSettings): Map<string, string> {
  const retrieval = Object.entries(retrieval_model ?? retrieval_model_dict ?? {})
  return new Map(
    [
      ...Object.entries(others),
      ...retrieval.map(([name, value]) => [`retrieval_model.${name}`, value] as const),
    ].flatMap(([name, value]): [string, string][] =>
      value === null || value === undefined ? [] : [[name, typeof value === 'string' ? value : JSON.stringify(value)]],
    ),
  )
}
