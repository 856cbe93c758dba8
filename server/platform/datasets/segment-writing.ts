import type { PoolClient } from 'pg'
import { setImmediate } from 'node:timers/promises'
import type { z } from 'zod'
import { planOf, type Rule } from '#contract/cutting/plan.ts'
import type { SegmentsCreate, SegmentUpdate } from '#contract/adjacent/segments.ts'
import { OWNER } from '../context.ts'
import { invalidParam } from '../errors.ts'
import { makeParent, makeSegment, type MadeSegment } from '../indexing/making.ts'
import { identify, passageOf, storeChildren, storePassages, storeSegments } from '../indexing/store.ts'
import { bagOf } from '../retrieval/bag.ts'
import type { DocumentRow } from './document-record.ts'
import type { Knowledge } from './knowledge.ts'
import { demandSegment, readSegments, type SegmentRow } from './segment-record.ts'

type Created = z.output<typeof SegmentsCreate>['segments'][number]
type Changed = z.output<typeof SegmentUpdate>['segment']

/** Adds segments behind those that a document has. */
export async function addSegments(context: Knowledge, document: DocumentRow, given: readonly Created[]) {
  const { database, clock } = context
  for (const [index, { content, answer }] of given.entries()) {
    if (content.trim() === '') throw invalidParam(`segments.${index}.content must not be blank`)
    if (document.doc_form === 'qa_model' && !answer?.trim())
      throw invalidParam(`segments.${index}.answer is required in Q&A form`)
  }
  const make = await makerFor(context, document)
  const made: MadeSegment[] = []
  for (const segment of given) {
    made.push(make(segment.content, segment.answer ?? null, segment.keywords))
    // A thousand segments take a while: others are served in between.
    await setImmediate()
  }
  const now = new Date(clock())
  const ids = await database.transaction(async (client) => {
    const { rows } = await client.query<{ position: number }>(
      'SELECT coalesce(max(position), 0) + 1 AS position FROM platform.segments WHERE document_id = $1',
      [document.id],
    )
    const place = { dataset_id: document.dataset_id, document_id: document.id, position: rows[0]?.position ?? 1 }
    const stored = await storeSegments(client, made, { ...place, began: now, now })
    await noteChange(client, document, sumOf(made), { tokens: 0, word_count: 0 })
    return stored.ids
  })
  context.queue.wake()
  const rows = await readSegments(database.pool, ids)
  return ids.flatMap((id) => rows.get(id) ?? [])
}

/**
 * Changes what is given of a segment. New content takes its place in the index; children stay unless they are to be made
 * anew. A disabled segment is not found, and can only be enabled.
 */
export async function changeSegment(context: Knowledge, document: DocumentRow, row: SegmentRow, given: Changed) {
  const { database, clock } = context
  const enabled = given.enabled ?? row.enabled
  if (!row.enabled && !enabled) throw invalidParam('The segment is disabled; enable it before it is changed.')
  if (given.content?.trim() === '') throw invalidParam('segment.content must not be blank')
  const content = given.content ?? row.content
  const answer = given.answer ?? row.answer
  if (document.doc_form === 'qa_model' && !answer?.trim()) throw invalidParam('segment.answer is required in Q&A form')
  const make = await makerFor(context, document)
  const keepsWords = content === row.content && answer === row.answer
  const made = make(content, answer, given.keywords ?? (keepsWords ? row.keywords : undefined))
  const now = new Date(clock())
  await database.transaction(async (client) => {
    await client.query(
      `UPDATE platform.segments
          SET content = $2, answer = $3, keywords = $4, word_count = $5, tokens = $6, index_node_hash = $7,
              enabled = $8, disabled_at = $9, disabled_by = $10, updated_at = $11, completed_at = $11
        WHERE id = $1`,
      [
        row.id,
        content,
        answer,
        made.keywords,
        made.word_count,
        made.tokens,
        made.index_node_hash,
        enabled,
        enabled ? null : now,
        enabled ? null : OWNER,
        now,
      ],
    )
    if (made.bag === null && given.regenerate_child_chunks) await remakeChildren(client, row.id, made, now)
    await client.query('DELETE FROM platform.passages WHERE segment_id = $1', [row.id])
    if (enabled) await restorePassages(client, document, { ...made, index_node_id: row.index_node_id }, row.id)
    await noteChange(client, document, sumOf([made]), row)
  })
  context.queue.wake()
  return demandSegment(database.pool, document.id, row.id)
}

export async function removeSegment(context: Knowledge, document: DocumentRow, row: SegmentRow): Promise<void> {
  await context.database.transaction(async (client) => {
    await client.query('DELETE FROM platform.passages WHERE segment_id = $1', [row.id])
    await client.query('DELETE FROM platform.hits WHERE segment_id = $1', [row.id])
    await client.query('DELETE FROM platform.segments WHERE id = $1', [row.id])
    await noteChange(client, document, { tokens: 0, word_count: 0 }, row)
  })
}

/** Makes segments as the document's own rule and form would. */
async function makerFor({ database }: Knowledge, document: DocumentRow) {
  const { rows } = await database.pool.query<Rule>('SELECT mode, rules FROM platform.process_rules WHERE id = $1', [
    document.process_rule_id,
  ])
  const childCut = rows[0] ? planOf(rows[0], document.doc_form).childCut : null
  return (content: string, answer: string | null, keywords: string[] | undefined): MadeSegment =>
    childCut
      ? makeParent({ content, keywords }, standingOf(document), childCut)
      : makeSegment({ content, answer, keywords }, standingOf(document))
}

async function remakeChildren(client: PoolClient, segment_id: string, made: MadeSegment, now: Date): Promise<void> {
  await client.query('DELETE FROM platform.child_chunks WHERE segment_id = $1', [segment_id])
  const children = made.children.map((child, index) => ({
    ...identify(child),
    segment_id,
    position: index + 1,
    type: 'automatic',
  }))
  await storeChildren(client, children, { began: now, now })
}

/** Puts back what is found of a segment: its own words, where it has no children, and those of its children. */
async function restorePassages(
  client: PoolClient,
  document: DocumentRow,
  made: MadeSegment & { index_node_id: string },
  segment_id: string,
): Promise<void> {
  const { rows } = await client.query<{ id: string; index_node_id: string; content: string }>(
    'SELECT id, index_node_id, content FROM platform.child_chunks WHERE segment_id = $1',
    [segment_id],
  )
  const children = rows.flatMap(({ id, index_node_id, content }) =>
    passageOf({ index_node_id, bag: bagOf(content, standingOf(document)) }, segment_id, id),
  )
  const place = { dataset_id: document.dataset_id, document_id: document.id }
  await storePassages(client, [...passageOf(made, segment_id, null), ...children], place)
}

export const standingOf = ({ dataset_id, name }: DocumentRow) => ({ dataset_id, title: name })

interface Sums {
  tokens: number
  word_count: number
}

/** Carries a change of segments into the sums of their document, and tells search that its dataset has changed. */
export async function noteChange(client: PoolClient, document: DocumentRow, added: Sums, removed: Sums): Promise<void> {
  await client.query('UPDATE platform.documents SET tokens = tokens + $2, word_count = word_count + $3 WHERE id = $1', [
    document.id,
    added.tokens - removed.tokens,
    added.word_count - removed.word_count,
  ])
  await client.query(
    `UPDATE platform.datasets
        SET changed = changed + 1, embedding_pending = embedding_pending OR indexing_technique = 'high_quality'
      WHERE id = $1`,
    [document.dataset_id],
  )
}

const sumOf = (made: readonly Sums[]): Sums => ({
  tokens: made.reduce((sum, { tokens }) => sum + tokens, 0),
  word_count: made.reduce((sum, { word_count }) => sum + word_count, 0),
})
