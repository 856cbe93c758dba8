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
import { extractPairs } from './questionAnswerPairs.ts'
import { countTokens } from './tokenCount.ts'
import { countWords } from '#domain/chunking/wordCount.ts'
import { splitRowsIntoChunks } from '#domain/chunking/tableRows.ts'
import { TABLE_KINDS } from '#domain/tables/columnNames.ts'
import { readStoredTables, toReadableLines } from '#domain/tables/tableText.ts'
import { truncateText } from '#contract/truncatedText.ts'

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

/** Progress of chunking; segments are emitted in batches, to limit memory and transactions. */
export type ChunkingStage =
  | { stage: 'cleaned'; word_count: number; losses: ReadingLoss[] }
  | { stage: 'split'; total: number }
  | { stage: 'made'; segments: NewSegment[] }

export class TooManySegmentsError extends Error {}

const MAX_SEGMENTS = 100_000
/** Units per batch, including children. */
const MAX_UNITS_PER_BATCH = 100
export const MAX_STAGES_OF_SMALL = 3

/** @throws TooManySegmentsError if the separator produces too many segments */
export function* chunkDocument({ text, extension, rule, form, passageContext }: ChunkingJob): Generator<ChunkingStage> {
  const plan = toChunkingPlan(rule, form)
  const clean = (part: string) => cleanText(part, plan.cleaning)
  const losses = new ReadingLosses()
  const isTable = TABLE_KINDS.includes(extension)
  const pairs = form === 'qa_model' ? extractPairs(text, extension, { clean, losses }) : []
  const readable =
    pairs.length === 0 && isTable ? readStoredTables(text, extension).map(toReadableLines).join('\n') : text
  const cleanedText =
    pairs.length > 0 ? pairs.map(({ question, answer }) => `${question}\n${answer}`).join('\n') : clean(readable)
  // A text without pairs consists of answers only, so nothing is outside of them.
  yield {
    stage: 'cleaned',
    word_count: countWords(cleanedText),
    losses: form === 'qa_model' && pairs.length === 0 ? [] : losses.list,
  }
  const sources =
    pairs.length > 0
      ? pairs.map(({ question, answer }) => ({ content: question, answer }))
      : toSources(cleanedText, plan, isTable && form !== 'qa_model')
  if (sources.length === 0) throw new Error('The cleaned text has no words: the document would have no segment.')
  yield { stage: 'split', total: sources.length }
  // A row is never split by a separator, neither into segments nor into children.
  const childSplitRule =
    plan.childSplitRule && (isTable ? { ...plan.childSplitRule, separator: '\n' } : plan.childSplitRule)
  let segments: NewSegment[] = []
  let units = 0
  for (const source of sources) {
    const isAnswer = form === 'qa_model' && pairs.length === 0
    const segment = buildSegment(isAnswer ? guessQuestion(source) : source, passageContext, childSplitRule)
    segments.push(segment)
    units += 1 + segment.children.length
    if (units < MAX_UNITS_PER_BATCH) continue
    yield { stage: 'made', segments }
    segments = []
    units = 0
  }
  if (segments.length > 0) yield { stage: 'made', segments }
}

function toSources(text: string, { splitRule, isRowPerChunk }: ChunkingPlan, isTable: boolean): SegmentSource[] {
  const chunks = isTable
    ? splitRowsIntoChunks(text, splitRule, isRowPerChunk, countTokens)
    : splitIntoChunks(text, splitRule, countTokens)
  return limitChunks(chunks).map(({ start, end, tokens }) => ({
    content: text.slice(start, end),
    answer: null,
    tokens,
  }))
}

function limitChunks(chunks: Iterable<Chunk>): Chunk[] {
  const chunkList = []
  for (const chunk of chunks) {
    chunkList.push(chunk)
    if (chunkList.length > MAX_SEGMENTS)
      throw new TooManySegmentsError(`The rule splits the text into more than ${MAX_SEGMENTS} segments.`)
  }
  return chunkList
}

/** Without pairs, each chunk is an answer, and its first sentence or heading the question. */
const guessQuestion = ({ content }: SegmentSource): SegmentSource => ({
  content: firstSentence(content),
  answer: content,
})

function firstSentence(text: string): string {
  const line = text.split('\n', 1)[0] ?? ''
  const sentence = /^.{10,300}?(?:[。！？]|[.!?](?=\s|$))/u.exec(line)?.[0] ?? truncateText(line, 300)
  return sentence.replace(/^#{1,6}\s+/, '').toWellFormed() || truncateText(text, 300)
}

/** Input of a segment. Reuses token counts from splitting. */
interface SegmentSource {
  content: string
  answer: string | null
  tokens?: number
  /** Set by hand; default: those of the text. */
  keywords?: string[] | undefined
}

/**
 * A segment with its own search terms, in Q&A form those of question and answer; with a rule its children are found
 * instead.
 */
export function buildSegment(
  { content, answer, tokens = countTokens(content), keywords }: SegmentSource,
  passageContext: PassageContext,
  childSplitRule: SplitRule | null,
): NewSegment {
  const text = toPassageText({ content, answer })
  // Keywords that come from the text are among its terms already.
  const ownContext = keywords ? { ...passageContext, keywords: findKeywordsByHand(keywords, text) } : passageContext
  const children = childSplitRule ? limitChunks(splitIntoChunks(content, childSplitRule, countTokens)) : []
  return {
    content,
    answer,
    keywords: keywords ?? extractKeywords(text),
    word_count: countWords(text),
    tokens: tokens + (answer ? countTokens(answer) : 0),
    index_node_hash: hashContent(content),
    termVector: childSplitRule ? null : toTermVector(text, ownContext),
    children: children.map((chunk) => buildChunk(content.slice(chunk.start, chunk.end), ownContext, chunk.tokens)),
  }
}

export const buildChunk = (
  content: string,
  passageContext: PassageContext,
  tokens = countTokens(content),
): NewChunk => ({
  content,
  word_count: countWords(content),
  tokens,
  index_node_hash: hashContent(content),
  termVector: toTermVector(content, passageContext),
})

const hashContent = (content: string): string => createHash('sha256').update(content).digest('hex')
