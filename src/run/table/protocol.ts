import type { RowInput } from '#contract/batches.ts'
import type { Control } from '../inputs.ts'
import type { RowFault } from './check.ts'
import type { Encoding } from './decode.ts'
import type { Mapping } from './mapping.ts'
import type { TableFault } from './parse.ts'

/** What the page asks its worker, which alone holds the table. */
export type Asked =
  | { id: number; kind: 'read'; source: ArrayBuffer | string; encoding: Encoding | null }
  | { id: number; kind: 'check'; controls: Control[]; mapping: Mapping; needsInput: boolean }
  /** The next rows to be sent, from the given one of those that are. */
  | { id: number; kind: 'piece'; from: number; skipFaulty: boolean }

export interface TableRead {
  heads: string[]
  rows: number
  /** The first rows, to be looked at. */
  sample: string[][]
  delimiter: string
  encoding: Encoding | null
  faults: TableFault[]
  notes: TableFault[]
  /** Where a cell begins with `=`, and how many do. */
  formulas: { count: number; row: number; column: string } | null
}
export interface TableChecked {
  /** Rows that can be sent, and rows that cannot. */
  good: number
  bad: number
  /** The first of all that is wrong. */
  faults: RowFault[]
  total: number
}

export type Told =
  | { id: number; kind: 'read'; read: TableRead }
  | { id: number; kind: 'checked'; checked: TableChecked }
  | { id: number; kind: 'piece'; rows: RowInput[] }
  | { id: number; kind: 'failed'; reason: string }
