import { overlapLength } from '../keywordSearch/overlaps.ts'
import { type SplitRule, splitIntoChunks } from './splitText.ts'
import type { CountTokens } from './tokenCounter.ts'

/** A listed segment with its document. */
interface ListedText {
  id: string
  content: string
}

export interface RechunkedText {
  content: string
  tokens: number
  /** Ids of the segments that share at least half of the text of the shorter of both. */
  segments: string[]
}

const BETWEEN_SEGMENTS = '\n\n'
/** A new chunk replaces a segment if they have this share of the shorter one in common. */
const MIN_SHARED_PART = 0.5

/** Splits the text of a document again, joined from its segments in order without their overlaps. */
export function* rechunkSegments(
  segments: readonly ListedText[],
  rule: SplitRule,
  countTokens: CountTokens,
): Generator<RechunkedText> {
  const { text, spans } = joinSegments(segments)
  for (const { start, end, tokens } of splitIntoChunks(text, rule, countTokens)) {
    const represented = spans.filter((span) => {
      const shared = Math.min(end, span.end) - Math.max(start, span.start)
      return shared > 0 && shared >= Math.min(end - start, span.end - span.start) * MIN_SHARED_PART
    })
    yield { content: text.slice(start, end), tokens, segments: represented.map(({ id }) => id) }
  }
}

function joinSegments(segments: readonly ListedText[]) {
  let text = ''
  const spans: { id: string; start: number; end: number }[] = []
  let previous = ''
  for (const { id, content } of segments) {
    const overlap = overlapLength(previous, content)
    if (text !== '' && overlap === 0) text += BETWEEN_SEGMENTS
    const start = overlap > 0 ? text.length - overlap : text.length
    text += overlap > 0 ? content.trimStart().slice(overlap) : content
    spans.push({ id, start, end: text.length })
    previous = content
  }
  return { text, spans }
}
