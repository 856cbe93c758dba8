import type { SuiteTarget } from '#contract/console/suites.ts'
import type { Check } from '#contract/console/checks.ts'
import { findQuestionName } from '../tables/columnNames.ts'

/** What a column or field of a file becomes in a case; `left_out` if a case has no place for it. */
export type CasePart =
  | 'question'
  | 'earlier'
  | 'input'
  | 'answer'
  | 'check'
  | 'name'
  | 'tag'
  | 'split'
  | 'source'
  | 'left_out'

/** The content of one column or field of a row: a part of its case, or why it is invalid. */
export interface CaseField {
  column: string
  part?: CasePart
  /** The variable of an input. */
  name?: string
  /** As in the case; all turns for a question. Null and an empty text are ignored, unless they are an input. */
  value?: unknown
  check?: Check | null
  fault?: string | null
}

const MAX_TAG_CHARS = 60

export const hasQuestion = (target: SuiteTarget): boolean => target === 'chat' || target === 'retrieval'

/** The variable that is the question of a chat or a retrieval: the one with that name, else the only one. */
export const findQuestion = (names: readonly string[], target: SuiteTarget): string | null =>
  hasQuestion(target) ? (findQuestionName(names) ?? (names.length === 1 ? (names[0] ?? null) : null)) : null

export const toVariable = (column: string, name: string, value: unknown, question: string | null): CaseField =>
  name === question
    ? { column, part: 'question', value: typeof value === 'string' ? value.trim() : JSON.stringify(value) }
    : { column, part: 'input', name, value }

/** A tag holds short values only. */
export const toTag = (column: string, value: string): CaseField => ({
  column,
  part: value.length <= MAX_TAG_CHARS ? 'tag' : 'left_out',
  value,
})
