import { createHash } from 'node:crypto'
import {
  type DocumentFormKind,
  type ChunkingPlan,
  toChunkingPlan,
  type StoredProcessRule,
} from '#domain/chunking/chunkingPlan.ts'
import { type Chunk, type SplitRule, splitIntoChunks } from '#domain/chunking/splitText.ts'
import { cleanText } from '#domain/chunking/cleanText.ts'
import { type ReadingLoss, ReadingLosses } from '#domain/documentReading/readingLoss.ts'
import { toTermVector, type TermVector, type PassageContext } from '#domain/keywordSearch/termVector.ts'
import { extractKeywords, findKeywordsByHand } from './keywords.ts'
import { toPassageText } from '#domain/retrieval/passageText.ts'
import { extractPairs, type QuestionAnswerPair } from './questionAnswerPairs.ts'
import { countTokens } from './tokenCount.ts'
import { countWords } from '#domain/chunking/wordCount.ts'
import { splitRowsIntoChunks } from '#domain/chunking/tableRows.ts'
import { TABLE_KINDS } from '#domain/tables/columnNames.ts'
import { readStoredTables, toReadableLines } from '#domain/tables/tableText.ts'
import { truncateText } from '#contract/truncatedText.ts'

/** A text to split into segments. */
export interface ChunkingJob {
  text: string
  /** Extension of the source file; tables are read row by row. */
  extension: string
  rule: StoredProcessRule
  form: DocumentFormKind
  passageContext: PassageContext
}

/** Common fields of every unit of an index. `termVector` is null if the unit is found through its children. */
export interface NewChunk {
  content: string
  word_count: number
  tokens: number
  index_node_hash: string
  termVector: TermVector | null
}
export interface NewSegment extends NewChunk {
  answer: string | null
  keywords: string[]
  children: NewChunk[]
}

/**
 * Progress of chunking; segments are emitted in batches, so that neither memory nor a transaction has to hold all of
 * them.
 */
export type ChunkingStage =
  | { stage: 'cleaned'; word_count: number; losses: ReadingLoss[] }
  | { stage: 'split'; total: number }
  | { stage: 'made'; segments: NewSegment[] }

export class TooManySegmentsError extends Error {}

const MAX_SEGMENTS = 100_000
/** Units per batch, including children. */
const MAX_UNITS_PER_BATCH = 100
/** A small text has one batch. */
export const MAX_STAGES_OF_SMALL = 3

/** @throws TooManySegments if the separator produces too many segments. */
export function* chunkDocument({ text, extension, rule, form, passageContext }: ChunkingJob): Generator<ChunkingStage> {
  const chunkingPlan = toChunkingPlan(rule, form)
  const clean = (part: string) => cleanText(part, chunkingPlan.cleaning)
  const losses = new ReadingLosses()
  const isTable = TABLE_KINDS.includes(extension)
  const pairs = form === 'qa_model' ? extractPairs(text, extension, { clean, losses }) : []
  const readable =
    pairs.length === 0 && isTable ? readStoredTables(text, extension).map(toReadableLines).join('\n') : text
  const cleanedText =
    pairs.length > 0 ? pairs.map(({ question, answer }) => `${question}\n${answer}`).join('\n') : clean(readable)
  // A text without pairs has answers only, and nothing of it is outside of them.
  yield {
    stage: 'cleaned',
    word_count: countWords(cleanedText),
    losses: form === 'qa_model' && pairs.length === 0 ? [] : losses.list,
  }
  const builders =
    form === 'qa_model'
      ? toPairBuilders(pairs.length > 0 ? pairs : guessPairs(cleanedText, chunkingPlan))
      : toSegmentBuilders(cleanedText, chunkingPlan, isTable)
  if (builders.length === 0) throw new Error('The cleaned text has no words: the document would have no segment.')
  yield { stage: 'split', total: builders.length }
  let segments: NewSegment[] = []
  let units = 0
  for (const build of builders) {
    const segment = build(passageContext)
    segments.push(segment)
    units += 1 + segment.children.length
    if (units < MAX_UNITS_PER_BATCH) continue
    yield { stage: 'made', segments }
    segments = []
    units = 0
  }
  if (segments.length > 0) yield { stage: 'made', segments }
}

type SegmentBuilder = (standing: PassageContext) => NewSegment

function toSegmentBuilders(text: string, plan: ChunkingPlan, isTable: boolean): SegmentBuilder[] {
  const { splitRule, isRowPerChunk } = plan
  // A row is never cut by a separator, neither into segments nor into children.
  const childSplitRule =
    plan.childSplitRule && (isTable ? { ...plan.childSplitRule, separator: '\n' } : plan.childSplitRule)
  const chunks = isTable
    ? limitChunks(splitRowsIntoChunks(text, splitRule, isRowPerChunk, countTokens))
    : splitChunks(text, splitRule)
  return chunks.map(({ start, end, tokens }) => (passageContext) => {
    const content = text.slice(start, end)
    if (childSplitRule) return buildParentSegment({ content, tokens }, passageContext, childSplitRule)
    return buildSegment({ content, answer: null, tokens }, passageContext)
  })
}

const splitChunks = (text: string, splitRule: SplitRule): Chunk[] =>
  limitChunks(splitIntoChunks(text, splitRule, countTokens))

function limitChunks(chunks: Iterable<Chunk>): Chunk[] {
  const chunkList = []
  for (const chunk of chunks) {
    chunkList.push(chunk)
    if (chunkList.length > MAX_SEGMENTS)
      throw new TooManySegmentsError(`The rule cuts the text into more than ${MAX_SEGMENTS} segments.`)
  }
  return chunkList
}

/** For a text without pairs, each chunk is an answer, and its first sentence or heading the question. */
const guessPairs = (text: string, { splitRule }: ChunkingPlan): QuestionAnswerPair[] =>
  splitChunks(text, splitRule).map(({ start, end }) => {
    const answer = text.slice(start, end)
    return { question: firstSentence(answer), answer }
  })

const toPairBuilders = (pairs: readonly QuestionAnswerPair[]): SegmentBuilder[] =>
  pairs.map(
    ({ question, answer }) =>
      (passageContext) =>
        buildSegment({ content: question, answer }, passageContext),
  )

function firstSentence(text: string): string {
  const line = text.split('\n', 1)[0] ?? ''
  const sentence = /^.{10,300}?(?:[。！？]|[.!?](?=\s|$))/u.exec(line)?.[0] ?? truncateText(line, 300)
  return sentence.replace(/^#{1,6}\s+/, '').toWellFormed() || truncateText(text, 300)
}

/** Input of a segment. Reuses token counts from splitting. */
export interface ChunkSource {
  content: string
  tokens?: number | undefined
  keywords?: string[] | undefined
}

/** A segment with its own search terms; in Q&A form those of question and answer. */
export function buildSegment(
  { answer, keywords, ...chunkSource }: ChunkSource & { answer: string | null },
  passageContext: PassageContext,
): NewSegment {
  const text = toPassageText({ content: chunkSource.content, answer })
  const ownContext = withKeywords(passageContext, keywords, text)
  const chunk = buildChunk(chunkSource, ownContext)
  const segment = { ...chunk, answer, keywords: keywords ?? extractKeywords(text), children: [] }
  if (!answer) return segment
  return {
    ...segment,
    word_count: countWords(text),
    tokens: chunk.tokens + countTokens(answer),
    termVector: toTermVector(text, ownContext),
  }
}

/** Keywords that a text gives itself are among its terms already. */
export const withKeywords = (
  passageContext: PassageContext,
  keywords: readonly string[] | undefined,
  text: string,
): PassageContext => (keywords ? { ...passageContext, keywords: findKeywordsByHand(keywords, text) } : passageContext)

/** A segment that is found through its children. */
export function buildParentSegment(
  { keywords, ...chunkSource }: ChunkSource,
  passageContext: PassageContext,
  childSplitRule: SplitRule,
): NewSegment {
  const { content } = chunkSource
  const ownContext = withKeywords(passageContext, keywords, content)
  const children = splitChunks(content, childSplitRule).map(({ start, end, tokens }) =>
    buildChunk({ content: content.slice(start, end), tokens }, ownContext),
  )
  return {
    ...buildChunk(chunkSource, passageContext),
    termVector: null,
    answer: null,
    keywords: keywords ?? extractKeywords(content),
    children,
  }
}

export function buildChunk({ content, tokens }: ChunkSource, passageContext: PassageContext): NewChunk {
  return {
    content,
    word_count: countWords(content),
    tokens: tokens ?? countTokens(content),
    index_node_hash: createHash('sha256').update(content).digest('hex'),
    termVector: toTermVector(content, passageContext),
  }
}
