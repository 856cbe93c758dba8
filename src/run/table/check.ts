import { ROW_LENGTH, type RowInput } from '#contract/batches.ts'
import { entriesOf, type FileRule, typeOf } from '../files.ts'
import { type Control, type Fault, type Filled, inputsOf } from '../inputs.ts'
import { FILES_BESIDE, type Mapping } from './mapping.ts'

/** One thing that is wrong with one row; `column` is the head of its column, null where the row as such is wrong. */
export interface RowFault {
  row: number
  column: string | null
  fault: Fault | OwnFault
}

/** What only a table can have wrong. */
interface OwnFault extends Pick<Fault, 'label' | 'given' | 'max'> {
  key: (typeof OWN)[number]
}
const OWN = ['notBoolean', 'notFiles', 'rowTooLong', 'noInput'] as const
export const isOwn = (fault: Fault | OwnFault): fault is OwnFault => OWN.some((key) => key === fault.key)

export interface CheckedRow {
  input: RowInput
  faults: RowFault[]
}

/** What a row would send, and all that keeps it from being sent. `needsInput`: an app that takes no empty inputs. */
export function checkRow(
  number: number,
  cells: readonly string[],
  how: { heads: readonly string[]; controls: readonly Control[]; mapping: Mapping; needsInput: boolean },
): CheckedRow {
  const { heads, controls, mapping, needsInput } = how
  const columns = new Map<string, string>()
  const used = new Set<number>()
  const filled: Filled = {}
  const faults: RowFault[] = []
  for (const control of controls) {
    const origin = mapping[control.variable]
    if (!origin) continue
    const isColumn = 'column' in origin
    const text = isColumn ? (cells[origin.column] ?? '') : origin.text
    if (isColumn) {
      used.add(origin.column)
      columns.set(control.variable, heads[origin.column] ?? '')
    }
    const typed = asTyped(control, text)
    if (typed === null) {
      const fault = {
        key: control.files ? 'notFiles' : 'notBoolean',
        label: control.label,
        given: text.slice(0, 80),
      } as const
      faults.push({ row: number, column: columns.get(control.variable) ?? null, fault })
    } else filled[control.variable] = typed
  }
  const { inputs: values, faults: found } = inputsOf(controls, filled)
  const { [FILES_BESIDE]: files, ...inputs } = values
  for (const [variable, fault] of Object.entries(found))
    faults.push({ row: number, column: columns.get(variable) ?? null, fault: shortened(fault) })
  const beside = Object.fromEntries(
    heads.flatMap((head, index) => (used.has(index) || !cells[index] ? [] : [[head, cells[index]]])),
  )
  const input: RowInput = { inputs, ...(files ? { files: files as RowInput['files'] } : {}), beside }
  if (needsInput && faults.length === 0 && Object.keys(inputs).length === 0)
    faults.push({ row: number, column: null, fault: { key: 'noInput', label: '' } })
  if (JSON.stringify(input).length > ROW_LENGTH)
    faults.push({ row: number, column: null, fault: { key: 'rowTooLong', label: '', max: ROW_LENGTH } })
  return { input, faults }
}

const YES = /^(true|yes|y|1|x|是)$/i
const NO = /^(false|no|n|0|否|)$/i

/** A cell as the form's field would hold it; null for what is no yes and no no, or no files. */
function asTyped(control: Control, cell: string): string | null {
  const text = cell.trim()
  if (control.kind === 'checkbox') return YES.test(text) ? 'true' : NO.test(text) ? 'false' : null
  if (control.files) return filesOf(control.files, text)
  return control.kind === 'select' || control.kind === 'number' ? text : cell
}

/**
 * Files stand in a cell as their URLs, apart by blanks or commas, or as JSON: the interface's objects, or URLs, one or a
 * list. What an object of a URL leaves out is guessed. Null for other JSON.
 */
function filesOf(rule: FileRule, text: string): string | null {
  if (text === '') return ''
  const isJson = /^[[{]/.test(text)
  const found = isJson ? jsonIn(text) : text.split(BETWEEN_URLS)
  const whole = found.map((one) => wholeFile(rule, one))
  const entries = entriesOf(whole)
  return entries.length === whole.length ? JSON.stringify(entries) : null
}

/** A comma is a URL's own where no other begins after it. */
const BETWEEN_URLS = /\s*[,;]\s*(?=https?:)|\s+/

function jsonIn(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : [value]
  } catch {
    return [null]
  }
}

function wholeFile(rule: FileRule, one: unknown): unknown {
  const { url, ...given }: { url?: unknown } = typeof one === 'object' && one !== null ? one : { url: one }
  if (typeof url !== 'string') return one
  return { type: typeOf(rule, { url }), transfer_method: 'remote_url', ...given, url }
}

const shortened = (fault: Fault): Fault =>
  fault.given === undefined ? fault : { ...fault, given: fault.given.slice(0, 80) }
