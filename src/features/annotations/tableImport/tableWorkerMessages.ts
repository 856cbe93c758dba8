import type { BatchRowInput } from '#contract/console/batches.ts'
import type { InputField } from '../../runs/inputs/inputFields.ts'
import type { RowError } from './rowCheck.ts'
import type { TableEncoding } from './tableDecoding.ts'
import type { ColumnMapping } from './columnMapping.ts'
import type { TableError } from './tableParser.ts'

/** What the page asks its worker, which alone holds the table. */
export type TableWorkerRequest =
  | { id: number; kind: 'read'; source: ArrayBuffer | string; encoding: TableEncoding | null }
  | { id: number; kind: 'check'; controls: InputField[]; mapping: ColumnMapping; needsInput: boolean }
  /** The next rows to be sent, from the given one of those that are. */
  | { id: number; kind: 'piece'; from: number; skipFaulty: boolean }

export interface TableRead {
  headers: string[]
  rows: number
  /** The first rows, to be looked at. */
  sample: string[][]
  delimiter: string
  encoding: TableEncoding | null
  errors: TableError[]
  notes: TableError[]
  /** Where a cell begins with `=`, and how many do. */
  formulas: { count: number; row: number; column: string } | null
}
export interface TableCheck {
  /** Rows that can be sent, and rows that cannot. */
  validRows: number
  invalidRows: number
  /** The first of all that is wrong. */
  errors: RowError[]
  totalErrors: number
}

export type TableWorkerResponse =
  | { id: number; kind: 'read'; read: TableRead }
  | { id: number; kind: 'checked'; checked: TableCheck }
  | { id: number; kind: 'piece'; rows: BatchRowInput[] }
  | { id: number; kind: 'failed'; reason: string }
