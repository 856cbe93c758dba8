import type { z } from 'zod'
import type { SegmentsCreate } from '#contract/platform/optionalSegments.ts'
import { parseKeywords } from './editor/useSegmentEdit.ts'

/** Maximum segments of one request; released platforms refuse more. */
export const MAX_NEW_SEGMENTS = 1000

/** What was typed for new segments: one with its parts, or many, one per line. */
export interface SegmentDraft {
  mode: 'one' | 'many'
  content: string
  answer: string
  /** Separated by commas. */
  keywords: string
  lines: string
}

export const EMPTY_SEGMENT_DRAFT: SegmentDraft = { mode: 'one', content: '', answer: '', keywords: '', lines: '' }

type NewSegments = z.input<typeof SegmentsCreate>['segments']
export type SegmentDraftError =
  | { field: 'content' | 'answer' | 'lines'; kind: 'empty' }
  | { field: 'lines'; kind: 'tooMany' }
  /** Counts from 1, empty lines included, as an editor does. */
  | { field: 'lines'; kind: 'withoutAnswer'; line: number }

/** The segments of a draft, or what is wrong with it. In Q&A form a line is a question and an answer, with a tab between. */
export function parseSegmentDraft(
  { mode, content, answer, keywords, lines }: SegmentDraft,
  isQuestionAnswer: boolean,
): { segments: NewSegments } | { error: SegmentDraftError } {
  if (mode === 'one') {
    if (content.trim() === '') return { error: { field: 'content', kind: 'empty' } }
    if (isQuestionAnswer && answer.trim() === '') return { error: { field: 'answer', kind: 'empty' } }
    const words = parseKeywords(keywords)
    return {
      segments: [
        {
          content,
          ...(isQuestionAnswer ? { answer } : {}),
          ...(words.length > 0 ? { keywords: words } : {}),
        },
      ],
    }
  }
  const segments: NewSegments = []
  for (const [index, line] of lines.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue
    const [question = '', ...rest] = isQuestionAnswer ? line.split('\t') : [line]
    const given = rest.join('\t').trim()
    if (isQuestionAnswer && (question.trim() === '' || given === ''))
      return { error: { field: 'lines', kind: 'withoutAnswer', line: index + 1 } }
    segments.push({ content: question.trim(), ...(isQuestionAnswer ? { answer: given } : {}) })
  }
  if (segments.length === 0) return { error: { field: 'lines', kind: 'empty' } }
  if (segments.length > MAX_NEW_SEGMENTS) return { error: { field: 'lines', kind: 'tooMany' } }
  return { segments }
}

/** How many segments a text of lines has. */
export const countLines = (lines: string): number => lines.split(/\r?\n/).filter((line) => line.trim() !== '').length
