import { createHash } from 'node:crypto'
import { type DocForm, type Plan, planOf, type Rule } from '#contract/cutting/plan.ts'
import { type Cut, split } from '#contract/cutting/split.ts'
import { tidy } from '#contract/cutting/tidy.ts'
import { bagOf, type Bag, type Standing } from '../retrieval/bag.ts'
import { keywordsOf } from './keywords.ts'
import { pairsOf, rowsOf, type Pair } from './pairs.ts'
import { countTokens } from './tokens.ts'
import { countWords } from '#contract/cutting/words.ts'

/** A text that is to become segments. */
export interface Making {
  text: string
  /** Of the file that it came from; CSV is read as rows in Q&A form. */
  extension: string
  rule: Rule
  form: DocForm
  standing: Standing
}

/** What every unit of an index has. `bag` is null where the unit is found through its children. */
export interface MadeChunk {
  content: string
  word_count: number
  tokens: number
  index_node_hash: string
  bag: Bag | null
}
export interface MadeSegment extends MadeChunk {
  answer: string | null
  keywords: string[]
  children: MadeChunk[]
}

/** How far a text has come; segments come in batches, so that neither memory nor a transaction holds all of them. */
export type Stage =
  | { stage: 'cleaned'; word_count: number }
  | { stage: 'split'; total: number }
  | { stage: 'made'; segments: MadeSegment[] }

export class TooManySegments extends Error {}

const MOST_SEGMENTS = 100_000
/** Units of a batch, children counted. */
const BATCH = 100

/** @throws TooManySegments when the separator cuts the text into crumbs. */
export function* makeSegments({ text, extension, rule, form, standing }: Making): Generator<Stage> {
  const plan = planOf(rule, form)
  const readable = extension === 'csv' && form !== 'qa_model' ? rowsOf(text) : text
  const tidied = tidy(readable, plan.tidying)
  yield { stage: 'cleaned', word_count: countWords(tidied) }
  const makers = form === 'qa_model' ? pairMakers(tidied, extension, plan) : chunkMakers(tidied, plan)
  yield { stage: 'split', total: makers.length }
  let segments: MadeSegment[] = []
  let units = 0
  for (const make of makers) {
    const segment = make(standing)
    segments.push(segment)
    units += 1 + segment.children.length
    if (units < BATCH) continue
    yield { stage: 'made', segments }
    segments = []
    units = 0
  }
  if (segments.length > 0) yield { stage: 'made', segments }
}

type Maker = (standing: Standing) => MadeSegment

function chunkMakers(text: string, { cut, childCut }: Plan): Maker[] {
  return chunks(text, cut).map(({ start, end, tokens }) => (standing) => {
    const content = text.slice(start, end)
    if (childCut) return makeParent({ content, tokens }, standing, childCut)
    return makeSegment({ content, answer: null, tokens }, standing)
  })
}

function chunks(text: string, cut: Cut) {
  const all = []
  for (const chunk of split(text, cut, countTokens)) {
    all.push(chunk)
    if (all.length > MOST_SEGMENTS)
      throw new TooManySegments(`The rule cuts the text into more than ${MOST_SEGMENTS} segments.`)
  }
  return all
}

/** Where a text has no pairs, each chunk is an answer, and its first sentence or heading the question. */
function pairMakers(text: string, extension: string, { cut }: Plan): Maker[] {
  const found = pairsOf(text, extension)
  const pairs: Pair[] =
    found.length > 0
      ? found
      : chunks(text, cut).map(({ start, end }) => {
          const answer = text.slice(start, end)
          return { question: firstSentence(answer), answer }
        })
  return pairs.map(
    ({ question, answer }) =>
      (standing) =>
        makeSegment({ content: question, answer }, standing),
  )
}

function firstSentence(text: string): string {
  const line = text.split('\n', 1)[0] ?? ''
  const sentence = /^.{10,300}?(?:[。！？]|[.!?](?=\s|$))/u.exec(line)?.[0] ?? line.slice(0, 300)
  return sentence.replace(/^#{1,6}\s+/, '').toWellFormed() || text.slice(0, 300).toWellFormed()
}

/** What a segment is made of. Tokens that were counted when the text was cut need not be counted again. */
export interface Matter {
  content: string
  tokens?: number | undefined
  keywords?: string[] | undefined
}

/** A segment that is found by its own words; in Q&A form by those of question and answer. */
export function makeSegment(
  { answer, keywords, ...matter }: Matter & { answer: string | null },
  standing: Standing,
): MadeSegment {
  const chunk = makeChunk(matter, standing)
  if (!answer) return { ...chunk, answer, keywords: keywords ?? keywordsOf(matter.content), children: [] }
  const whole = `${matter.content}\n${answer}`
  return {
    ...chunk,
    word_count: countWords(whole),
    tokens: chunk.tokens + countTokens(answer),
    bag: bagOf(whole, standing),
    answer,
    keywords: keywords ?? keywordsOf(whole),
    children: [],
  }
}

/** A segment that is found through its children. */
export function makeParent({ keywords, ...matter }: Matter, standing: Standing, childCut: Cut): MadeSegment {
  const { content } = matter
  const children = chunks(content, childCut).map(({ start, end, tokens }) =>
    makeChunk({ content: content.slice(start, end), tokens }, standing),
  )
  return {
    ...makeChunk(matter, standing),
    bag: null,
    answer: null,
    keywords: keywords ?? keywordsOf(content),
    children,
  }
}

export function makeChunk({ content, tokens }: Matter, standing: Standing): MadeChunk {
  return {
    content,
    word_count: countWords(content),
    tokens: tokens ?? countTokens(content),
    index_node_hash: createHash('sha256').update(content).digest('hex'),
    bag: bagOf(content, standing),
  }
}
