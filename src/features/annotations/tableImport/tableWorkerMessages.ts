import type { TableContent } from '#domain/tables/readTable.ts'
import type { TableProblem } from '#domain/tables/table.ts'
import type { TextEncoding } from '#domain/text/decodeText.ts'
import type { InputField } from '../../runs/inputs/inputFields.ts'
import type { RowError } from './rowCheck.ts'
import type { ColumnMapping } from './columnMapping.ts'
import type { DuplicateCheck, TableDuplicate } from './tableDuplicates.ts'

/** The requests of the page to its worker, which alone stores the table. */
export type TableWorkerRequest =
  | {
      id: number
      kind: 'read'
      source: ArrayBuffer | string
      encoding: TextEncoding | null
      /** Of a workbook; null for its first one. */
      sheet: string | null
    }
  | {
      id: number
      kind: 'check'
      controls: InputField[]
      mapping: ColumnMapping
      needsInput: boolean
      /** Null where rows may repeat each other. */
      duplicateCheck: DuplicateCheck | null
    }
  /** The next rows to send, by index among the sendable ones of this check. */
  | { id: number; kind: 'piece'; from: number; skipFaulty: boolean; skipDuplicates: boolean; revision: number }

export interface TableRead extends Pick<TableContent, 'encoding' | 'workbook'> {
  heads: string[]
  rows: number
  /** The first rows, as a preview. */
  sample: string[][]
  delimiter: string
  problems: TableProblem[]
  /** The first cell that begins with `=`, and the number of such cells. */
  formulas: { count: number; row: number; column: string } | null
}
export interface TableCheck {
  /** Differs for each check: rows are only sent as the last one has read them. */
  revision: number
  /** The numbers of valid and invalid rows. */
  validRows: number
  invalidRows: number
  /** The first errors. */
  errors: RowError[]
  totalErrors: number
  /** Valid rows whose key exists already: their number, and the first of them. */
  duplicateRows: number
  duplicates: TableDuplicate[]
}

export type TableWorkerResponse =
  | { id: number; kind: 'read'; read: TableRead }
  | { id: number; kind: 'checked'; checked: TableCheck }
  /** The rows as JSON: a structured clone keeps no digits of numbers. */
  | { id: number; kind: 'piece'; json: string }
  | { id: number; kind: 'failed'; reason: string }
