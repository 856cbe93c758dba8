/** What a column or a field of a file becomes in a case; `left_out` where a case has no place for it. */
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

/** What is wrong in a row. Lines count from 1. */
export interface ImportFault {
  line: number
  /** The column or field; null where it is the row. */
  column: string | null
  message: string
}

/** One row of a file, as its format says it. */
export interface CaseRecord {
  line: number
  /** The case before it is checked. */
  fields: Record<string, unknown>
  /** What each column became. */
  columns: ReadonlyMap<string, CasePart>
  faults: readonly Omit<ImportFault, 'line'>[]
}
