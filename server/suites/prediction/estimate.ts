import { setImmediate } from 'node:timers/promises'
import type { z } from 'zod'
import type { PredictedChunking } from '#contract/console/experiments/predictions.ts'
import type { CaseExpectation } from '#contract/console/suites.ts'
import { rechunkSegments } from '#domain/chunking/rechunkedText.ts'
import { decodeSeparator } from '#domain/chunking/splitText.ts'
import {
  type IndexedPassage,
  NO_CHANGES,
  type PassageChanges,
  PassageIndex,
} from '#domain/keywordSearch/passageIndex.ts'
import { toTermVector } from '#domain/keywordSearch/termVector.ts'
import { toPassageText } from '#domain/retrieval/passageText.ts'
import { asList, asRecord, asText } from '#domain/stream/untrustedJson.ts'
import type { DryRunSegment } from '#contract/platform/optionalDatasets.ts'
import type { ListedDocument } from './listedDataset.ts'

/** A segment, or a chunk that would become one. */
interface EstimatedSegment {
  document_id: string
  tokens: number
  /** Ids of the stored segments that it replaces. */
  standsFor: readonly string[]
}

export interface Estimate {
  index: PassageIndex
  segments: ReadonlyMap<string, EstimatedSegment>
}

/** While an estimate is prepared, other requests run at least this often. */
const MAX_BLOCKING_MS = 20
/** Maximum text that is split at once, so that a long document does not block the server. */
const MAX_JOINED_CHARS = 100_000
/** Used if the platform reports no tokens. */
const DEFAULT_TOKEN_CHARS = 4

/** Indexes listed segments, or the chunks that their texts would be split into. */
export async function createEstimate(
  documents: readonly ListedDocument[],
  chunking: z.output<typeof PredictedChunking> | null,
): Promise<Estimate> {
  const index = new PassageIndex()
  const segments = new Map<string, EstimatedSegment>()
  const yieldRegularly = createYielder()
  const charsPerToken = measureTokenChars(documents)
  for (const document of documents) {
    const found = chunking ? toNewTexts(document, chunking, charsPerToken) : toStoredTexts(document, charsPerToken)
    for (const { id, texts, ...segment } of found) {
      segments.set(id, { document_id: document.id, ...segment })
      for (const [number, text] of texts.entries())
        index.add({ id: `${id} ${number}`, segment_id: id, ...toTerms(text, document.name) })
      await yieldRegularly()
    }
  }
  return { index, segments }
}

/** The segments after the change: disabled, removed or changed ones are dropped, and new texts are added. */
export function toPassageChanges(
  documents: readonly ListedDocument[],
  drafts: readonly DryRunSegment[],
): { changes: PassageChanges; segments: Map<string, EstimatedSegment> } {
  if (drafts.length === 0) return { changes: NO_CHANGES, segments: new Map() }
  const hidden = new Set<string>()
  const added: IndexedPassage[] = []
  const segments = new Map<string, EstimatedSegment>()
  const charsPerToken = measureTokenChars(documents)
  for (const [index, draft] of drafts.entries()) {
    const document = documents.find(({ id }) => id === draft.document_id)
    const stored = document?.segments.find(({ id }) => id === draft.id)
    const id = draft.id ?? `new ${index}`
    // The child chunks of a parent stay unless they are regenerated.
    const staysFound = stored !== undefined && listChildTexts(stored).length > 0 && !draft.regenerate_child_chunks
    const isShown = !draft.removed && (draft.enabled ?? stored?.enabled) !== false
    if (isShown && staysFound) continue
    if (draft.id) hidden.add(draft.id)
    if (!isShown) continue
    const text = toPassageText({ content: draft.content ?? stored?.content, answer: draft.answer ?? stored?.answer })
    const tokens = Math.round(text.length / charsPerToken)
    segments.set(id, { document_id: draft.document_id, tokens, standsFor: [id] })
    added.push({ id, segment_id: id, ...toTerms(text, document?.name ?? '') })
  }
  return { changes: { hidden, added }, segments }
}

/** The expectation of a case in terms of chunks that replace its segments. */
export function toEstimatedExpectation(expected: CaseExpectation, { segments }: Estimate): CaseExpectation {
  const ids = new Set(expected.segments?.map(({ id }) => id))
  if (ids.size === 0) return expected
  const standing = [...segments].filter(([, { standsFor }]) => standsFor.some((id) => ids.has(id)))
  return { ...expected, segments: standing.map(([id]) => ({ id })) }
}

interface EstimatedText extends Omit<EstimatedSegment, 'document_id'> {
  id: string
  /** The searched texts: the segment, or its child chunks. */
  texts: string[]
}

function* toStoredTexts({ segments }: ListedDocument, charsPerToken: number): Generator<EstimatedText> {
  for (const segment of segments) {
    const { id, content, answer, tokens, enabled } = segment
    if (enabled === false) continue
    const children = listChildTexts(segment)
    const text = toPassageText({ content, answer })
    yield {
      id,
      standsFor: [id],
      tokens: tokens ?? Math.round(text.length / charsPerToken),
      texts: children.length > 0 ? children : [text],
    }
  }
}

function* toNewTexts(
  document: ListedDocument,
  { separator, max_tokens, chunk_overlap }: z.output<typeof PredictedChunking>,
  charsPerToken: number,
): Generator<EstimatedText> {
  const rule = { separator: separator === null ? null : decodeSeparator(separator), max_tokens, chunk_overlap }
  const countTokens = (text: string) => text.length / charsPerToken
  let number = 0
  for (const group of groupSegments(document.segments.filter(({ enabled }) => enabled !== false)))
    for (const { content, tokens, segments } of rechunkSegments(group, rule, countTokens))
      yield { id: `${document.id} ${number++}`, standsFor: segments, tokens: Math.round(tokens), texts: [content] }
}

function* groupSegments(segments: ListedDocument['segments']): Generator<{ id: string; content: string }[]> {
  let group: { id: string; content: string }[] = []
  let chars = 0
  for (const { id, content, answer } of segments) {
    const text = toPassageText({ content, answer })
    group.push({ id, content: text })
    chars += text.length
    if (chars < MAX_JOINED_CHARS) continue
    yield group
    group = []
    chars = 0
  }
  if (group.length > 0) yield group
}

/** The child chunks that some platforms list with a segment. */
const listChildTexts = ({ child_chunks }: ListedDocument['segments'][number]): string[] =>
  asList(child_chunks).flatMap((child) => asText(asRecord(child)?.['content']) ?? [])

const toTerms = (text: string, title: string) => toTermVector(text, { dataset_id: '', title })

function measureTokenChars(documents: readonly ListedDocument[]): number {
  let [chars, tokens] = [0, 0]
  for (const { segments } of documents)
    for (const segment of segments)
      if (segment.tokens) {
        chars += toPassageText(segment).length
        tokens += segment.tokens
      }
  return tokens > 0 && chars > 0 ? chars / tokens : DEFAULT_TOKEN_CHARS
}

function createYielder(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < MAX_BLOCKING_MS) return
    await setImmediate()
    since = performance.now()
  }
}
