import type { PoolClient } from 'pg'
import { setImmediate } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import { hasText } from '#domain/chunking/cleanText.ts'
import { toChunkingPlan, type StoredProcessRule } from '#domain/chunking/chunkingPlan.ts'
import type { SegmentsCreate, SegmentUpdate } from '#contract/platform/optionalSegments.ts'
import { OWNER_ID } from '../platformContext.ts'
import { toInvalidParamError } from '../platformErrors.ts'
import type { NewSegment } from '../indexing/chunkDocument.ts'
import {
  assignIds,
  type NewChildChunk,
  toChildRows,
  toPassageRows,
  storeChildren,
  storePassages,
  storeSegmentRows,
  toSegmentRows,
} from '../indexing/segmentStore.ts'
import { extractKeywords, findKeywordsByHand } from '../indexing/keywords.ts'
import { updateTerms } from '../indexing/termUpgrade.ts'
import { toTermVector } from '#domain/keywordSearch/termVector.ts'
import { toPassageText } from '#domain/retrieval/passageText.ts'
import { toSamenessKey } from '#domain/samenessKey.ts'
import type { OverlayPassage, OverlaySegment } from '../retrieval/segmentOverlay.ts'
import { type DocumentRow, lockDocument, requireIndexed } from './documentRecord.ts'
import type { KnowledgeContext } from './knowledgeContext.ts'
import { requireSegment, readSegments, type SegmentRow } from './segmentRecord.ts'

type SegmentInput = z.output<typeof SegmentsCreate>['segments'][number]
type SegmentChange = z.output<typeof SegmentUpdate>['segment']

/** Appends segments to a document. */
export async function addSegments(context: KnowledgeContext, document: DocumentRow, inputs: readonly SegmentInput[]) {
  const { database, clock } = context
  const keywords = inputs.map(
    (input, index) => input.keywords && toKeywords(input.keywords, `segments.${index}.keywords`),
  )
  for (const [index, { content, answer }] of inputs.entries()) {
    if (!hasText(content)) throw toInvalidParamError(`segments.${index}.content must not be blank`)
    if (document.doc_form === 'qa_model' && !hasText(answer ?? ''))
      throw toInvalidParamError(`segments.${index}.answer is required in Q&A form`)
  }
  const createSegment = await createSegmentBuilder(context, document)
  const newSegments: NewSegment[] = []
  for (const [index, segment] of inputs.entries()) {
    newSegments.push(createSegment(segment.content, segment.answer ?? null, keywords[index]))
    // Yields to other requests: a thousand segments take a while.
    await setImmediate()
  }
  const now = new Date(clock())
  const ids = await database.transaction(async (client) => {
    requireIndexed(await lockDocument(client, document.id))
    const { rows } = await client.query<{ position: number }>(
      'SELECT coalesce(max(position), 0) + 1 AS position FROM platform.segments WHERE document_id = $1',
      [document.id],
    )
    const position = rows[0]?.position ?? 1
    const { dataset_id, id: document_id } = document
    const newRows = toSegmentRows({ dataset_id, document_id, position, began: now, segments: newSegments })
    await storeSegmentRows(client, [newRows], now)
    await updateCounts(client, document, sumCounts(newSegments), { tokens: 0, word_count: 0 })
    return newRows.segments.map(({ id }) => id)
  })
  context.indexingQueue.runSoon()
  const rows = await readSegments(database.pool, ids)
  return ids.flatMap((id) => rows.get(id) ?? [])
}

/** The effect of a change on a segment. */
interface SegmentPlan {
  content: string
  answer: string | null
  enabled: boolean
  newSegment: NewSegment
  areChildrenRebuilt: boolean
  /** The stored passages and their vectors stay. */
  arePassagesCurrent: boolean
  /** They have the same terms. */
  areTermsCurrent: boolean
}

/**
 * New content is re-indexed; children are preserved unless their regeneration is requested. A disabled segment is not
 * searchable, and can only be enabled.
 */
function planChange(
  createSegment: SegmentBuilder,
  document: DocumentRow,
  row: SegmentRow,
  change: SegmentChange,
): SegmentPlan {
  const enabled = change.enabled ?? row.enabled
  if (!row.enabled && !enabled) throw toInvalidParamError('The segment is disabled. Enable it before changing it.')
  if (change.content !== undefined && !hasText(change.content))
    throw toInvalidParamError('segment.content must not be blank')
  const content = change.content ?? row.content
  const answer = change.answer ?? row.answer
  if (document.doc_form === 'qa_model' && !hasText(answer ?? ''))
    throw toInvalidParamError('segment.answer is required in Q&A form')
  const isTextUnchanged = content === row.content && answer === row.answer
  const keywords = change.keywords ? toKeywords(change.keywords, 'segment.keywords') : row.keywords
  // Forms send the keywords of the old text with a new one.
  const areKeywordsOfFormerText = !isTextUnchanged && isDeepStrictEqual(keywords, row.keywords)
  const newSegment = createSegment(
    content,
    answer,
    areKeywordsOfFormerText
      ? replaceExtracted(keywords, toPassageText(row), toPassageText({ content, answer }))
      : keywords,
  )
  const areChildrenRebuilt = newSegment.termVector === null && change.regenerate_child_chunks === true
  // Unchanged passages keep their vectors. Those of a parent belong to its children.
  const areTextsCurrent = newSegment.termVector ? isTextUnchanged : !areChildrenRebuilt
  const arePassagesCurrent = areTextsCurrent && row.enabled && enabled
  const areTermsCurrent = arePassagesCurrent && isDeepStrictEqual(newSegment.keywords, row.keywords)
  return { content, answer, enabled, newSegment, areChildrenRebuilt, arePassagesCurrent, areTermsCurrent }
}

/** Updates the given fields of a segment. */
export async function changeSegment(
  context: KnowledgeContext,
  document: DocumentRow,
  { id }: Pick<SegmentRow, 'id'>,
  change: SegmentChange,
) {
  const { database, clock } = context
  const createSegment = await createSegmentBuilder(context, document)
  const now = new Date(clock())
  await database.transaction(async (client) => {
    const row = await lockSegment(client, document, id)
    const plan = planChange(createSegment, document, row, change)
    const { content, answer, enabled, newSegment } = plan
    await client.query(
      `UPDATE platform.segments
          SET content = $2, answer = $3, keywords = $4, word_count = $5, tokens = $6, index_node_hash = $7,
              enabled = $8, disabled_at = $9, disabled_by = $10, updated_at = $11, completed_at = $11
        WHERE id = $1`,
      [
        row.id,
        content,
        answer,
        newSegment.keywords,
        newSegment.word_count,
        newSegment.tokens,
        newSegment.index_node_hash,
        enabled,
        enabled ? null : now,
        enabled ? null : OWNER_ID,
        now,
      ],
    )
    if (plan.areChildrenRebuilt) await rebuildChildren(client, row.id, newSegment, now)
    if (!plan.arePassagesCurrent) {
      await client.query('DELETE FROM platform.passages WHERE segment_id = $1', [row.id])
      if (enabled) await rebuildPassages(client, document, { ...newSegment, index_node_id: row.index_node_id }, row.id)
    } else if (!plan.areTermsCurrent) await updateTerms(client, 'segment_id = $1', [row.id])
    await updateCounts(client, document, sumCounts([newSegment]), row)
  })
  context.indexingQueue.runSoon()
  return requireSegment(database.pool, document.id, id)
}

/** The part of an overlay for one segment. */
interface SegmentPreview {
  id: string
  segment: OverlaySegment
  isHidden: boolean
  passages: OverlayPassage[]
}

/** The segment as `changeSegment` would leave it. Nothing is written. */
export async function previewSegment(
  context: KnowledgeContext,
  document: DocumentRow,
  row: SegmentRow,
  change: SegmentChange,
): Promise<SegmentPreview> {
  const createSegment = await createSegmentBuilder(context, document)
  const { content, answer, enabled, newSegment, ...plan } = planChange(createSegment, document, row, change)
  const segment = { document_id: document.id, position: row.position, content, tokens: newSegment.tokens }
  const preview = { id: row.id, segment, isHidden: !plan.areTermsCurrent, passages: [] }
  if (plan.areTermsCurrent || !enabled) return preview
  const owner = { dataset_id: document.dataset_id, document_id: document.id, segment_id: row.id }
  const { rows: storedChildren } = plan.areChildrenRebuilt
    ? { rows: newSegment.children.map(assignIds) }
    : await context.database.pool.query<StoredChild>(CHILDREN_SQL, [row.id])
  const children = storedChildren.flatMap((child) => toChildPassages(document, child, { ...newSegment, id: row.id }))
  const own = toPassageRows({ ...newSegment, answer, index_node_id: row.index_node_id }, owner)
  return { ...preview, passages: [...own, ...children] }
}

/** New segments as `addSegments` would append them to their document, with new ids. */
export async function previewNewSegment(
  context: KnowledgeContext,
  document: DocumentRow,
  input: SegmentInput,
  position: number,
): Promise<SegmentPreview> {
  const newSegment = (await createSegmentBuilder(context, document))(
    input.content,
    input.answer ?? null,
    input.keywords,
  )
  const { dataset_id, id: document_id } = document
  const rows = toSegmentRows({ dataset_id, document_id, position, began: new Date(0), segments: [newSegment] })
  return {
    id: rows.segments[0]?.id ?? '',
    segment: { document_id, position, content: input.content, tokens: newSegment.tokens },
    isHidden: false,
    passages: rows.passages,
  }
}

export async function removeSegment(context: KnowledgeContext, document: DocumentRow, row: SegmentRow): Promise<void> {
  await context.database.transaction(async (client) => {
    const former = await lockSegment(client, document, row.id)
    await client.query('DELETE FROM platform.passages WHERE segment_id = $1', [row.id])
    await client.query('DELETE FROM platform.hits WHERE segment_id = $1', [row.id])
    await client.query('DELETE FROM platform.segments WHERE id = $1', [row.id])
    await updateCounts(client, document, { tokens: 0, word_count: 0 }, former)
  })
}

/**
 * Locks the segment until the end of the transaction.
 * @throws PlatformError 404 if it was deleted
 */
export async function lockSegment(client: PoolClient, document: DocumentRow, segment_id: string): Promise<SegmentRow> {
  requireIndexed(await lockDocument(client, document.id))
  return requireSegment(client, document.id, segment_id)
}

type SegmentBuilder = Awaited<ReturnType<typeof createSegmentBuilder>>

/** Builds segments with the document's own rule and form. */
async function createSegmentBuilder({ database }: KnowledgeContext, document: DocumentRow) {
  const { rows } = await database.pool.query<StoredProcessRule>(
    'SELECT mode, rules FROM platform.process_rules WHERE id = $1',
    [document.process_rule_id],
  )
  const childSplitRule = rows[0] ? toChunkingPlan(rows[0], document.doc_form).childSplitRule : null
  const { buildSegment } = await import('../indexing/chunkDocument.ts')
  return (content: string, answer: string | null, keywords: string[] | undefined): NewSegment =>
    buildSegment(
      { content, answer: childSplitRule ? null : answer, keywords },
      toPassageContext(document),
      childSplitRule,
    )
}

async function rebuildChildren(
  client: PoolClient,
  segment_id: string,
  newSegment: NewSegment,
  now: Date,
): Promise<void> {
  await client.query('DELETE FROM platform.child_chunks WHERE segment_id = $1', [segment_id])
  await storeChildren(client, toChildRows(newSegment, segment_id, now), now)
}

/** Rebuilds the passages of a segment: its own text if it has no children, and those of its children. */
async function rebuildPassages(
  client: PoolClient,
  document: DocumentRow,
  newSegment: NewSegment & { index_node_id: string },
  segment_id: string,
): Promise<void> {
  const { rows } = await client.query<StoredChild>(CHILDREN_SQL, [segment_id])
  const owner = { dataset_id: document.dataset_id, document_id: document.id, segment_id }
  const children = rows.flatMap((child) => toChildPassages(document, child, { ...newSegment, id: segment_id }))
  await storePassages(client, [...toPassageRows(newSegment, owner), ...children])
}

type StoredChild = Pick<NewChildChunk, 'id' | 'index_node_id' | 'content'>

const CHILDREN_SQL = 'SELECT id, index_node_id, content FROM platform.child_chunks WHERE segment_id = $1'

const toChildPassages = (
  document: DocumentRow,
  { id, index_node_id, content }: StoredChild,
  segment: PassageSegment & { id: string },
) =>
  toPassageRows(
    { index_node_id, content, termVector: toTermVector(content, toPassageContext(document, segment)) },
    { dataset_id: document.dataset_id, document_id: document.id, segment_id: segment.id },
    id,
  )

type PassageSegment = Pick<SegmentRow, 'content' | 'answer' | 'keywords'>

export const toPassageContext = ({ dataset_id, name }: DocumentRow, segment?: PassageSegment) => ({
  dataset_id,
  title: name,
  keywords: segment && findKeywordsByHand(segment.keywords, toPassageText(segment)),
})

/** Keywords that were set by hand stay when the text changes. */
const replaceExtracted = (keywords: readonly string[], formerText: string, text: string): string[] => [
  ...new Set([...findKeywordsByHand(keywords, formerText), ...extractKeywords(text)]),
]

/** @throws PlatformError 400 for a blank keyword */
function toKeywords(keywords: readonly string[], path: string): string[] {
  const blank = keywords.findIndex((keyword) => !hasText(keyword))
  if (blank !== -1) throw toInvalidParamError(`${path}.${blank} must not be blank`)
  const pairs = keywords.map((keyword): [string, string] => [toSamenessKey(keyword.trim()), keyword.trim()])
  // The first of several duplicates is stored.
  return [...new Map(pairs.toReversed()).values()].toReversed()
}

interface TextCounts {
  tokens: number
  word_count: number
}

/** Updates the document's totals after a change of segments, and marks the dataset as changed for the search. */
export async function updateCounts(
  client: PoolClient,
  document: DocumentRow,
  added: TextCounts,
  removed: TextCounts,
): Promise<void> {
  // Overlapping segments have more words than their document.
  await client.query(
    `UPDATE platform.documents
        SET tokens = tokens + $2, word_count = greatest(0, word_count + $3), retitled = retitled OR name <> $4
      WHERE id = $1`,
    [document.id, added.tokens - removed.tokens, added.word_count - removed.word_count, document.name],
  )
  await client.query(
    `UPDATE platform.datasets
        SET changed = changed + 1, embedding_pending = embedding_pending OR indexing_technique = 'high_quality'
      WHERE id = $1`,
    [document.dataset_id],
  )
}

const sumCounts = (made: readonly TextCounts[]): TextCounts => ({
  tokens: made.reduce((sum, { tokens }) => sum + tokens, 0),
  word_count: made.reduce((sum, { word_count }) => sum + word_count, 0),
})
