import { asRecord } from '#domain/stream/untrustedJson.ts'
import type { BatchSource } from '#contract/console/batches.ts'

/** Maximum number of columns for outputs; further outputs share one column as JSON. */
const MAX_OUTPUT_COLUMNS = 500
export const OVERFLOW_COLUMN = 'outputs.more'

export type CsvCell = string | number | boolean | null

export interface ExportColumnsRow {
  inputs: Record<string, unknown>
  files?: readonly unknown[] | undefined
  turns?: readonly string[] | undefined
  beside: Record<string, string>
  outputs: Record<string, unknown>
}

/**
 * The columns of an export: those of the source file, under their names and in their order, and those that its rows name
 * beyond it.
 */
export class ExportColumns {
  readonly #source: BatchSource['columns']
  readonly #sourceNames: ReadonlySet<string>
  readonly #mapped: { inputs: ReadonlySet<string>; turns: ReadonlySet<number>; files: boolean }
  readonly #inputs = new Set<string>()
  readonly #extraColumns = new Set<string>()
  readonly #outputs = new Set<string>()
  #turns = 0
  #hasFiles = false
  #hasOverflow = false

  constructor(source: BatchSource | null = null) {
    this.#source = source?.columns ?? []
    this.#sourceNames = new Set(this.#source.map(({ name }) => name))
    const targets = this.#source.map(({ target }) => target)
    this.#mapped = {
      inputs: new Set(targets.flatMap((target) => (isTarget(target) && 'input' in target ? [target.input] : []))),
      turns: new Set(targets.flatMap((target) => (isTarget(target) && 'turn' in target ? [target.turn] : []))),
      files: targets.includes('files'),
    }
  }

  add(row: ExportColumnsRow): void {
    for (const name of Object.keys(row.inputs)) if (!this.#mapped.inputs.has(name)) this.#inputs.add(name)
    this.#hasFiles ||= row.files !== undefined && !this.#mapped.files
    this.#turns = Math.max(this.#turns, row.turns?.length ?? 0)
    for (const name of Object.keys(row.beside)) if (!this.#sourceNames.has(name)) this.#extraColumns.add(name)
    for (const name of flattenOutputs(row.outputs).keys())
      if (this.#outputs.size < MAX_OUTPUT_COLUMNS) this.#outputs.add(name)
      else this.#hasOverflow ||= !this.#outputs.has(name)
  }

  /** For outputs that no row has yet. */
  addOverflowColumn(): void {
    this.#hasOverflow = true
  }

  get sourceHeaders(): string[] {
    return this.#source.map(({ name }) => name)
  }

  toSourceCells({ inputs, files, turns, beside }: ExportColumnsRow): CsvCell[] {
    return this.#source.map(({ name, target }) => {
      if (Object.hasOwn(beside, name)) return beside[name] ?? null
      if (target === 'files') return toCsvCell(files)
      if (target === null) return null
      return toCsvCell('input' in target ? getOwn(inputs, target.input) : turns?.[target.turn - 1])
    })
  }

  get headers(): string[] {
    return [
      ...[...this.#inputs].map((name) => `inputs.${name}`),
      ...(this.#hasFiles ? ['files'] : []),
      ...this.#extraTurns.map((turn) => `turn_${turn}`),
      ...[...this.#extraColumns].map((name) => `column.${name}`),
      ...this.#outputs,
      ...(this.#hasOverflow ? [OVERFLOW_COLUMN] : []),
    ]
  }

  toCells(row: ExportColumnsRow): CsvCell[] {
    const outputs = flattenOutputs(row.outputs)
    const overflow = [...outputs].filter(([name]) => !this.#outputs.has(name))
    return [
      ...[...this.#inputs].map((name) => toCsvCell(getOwn(row.inputs, name))),
      ...(this.#hasFiles ? [toCsvCell(row.files)] : []),
      ...this.#extraTurns.map((turn) => row.turns?.[turn - 1] ?? null),
      ...[...this.#extraColumns].map((name) => toCsvCell(getOwn(row.beside, name))),
      ...[...this.#outputs].map((name) => outputs.get(name) ?? null),
      ...(this.#hasOverflow ? [overflow.length > 0 ? JSON.stringify(Object.fromEntries(overflow)) : null] : []),
    ]
  }

  get #extraTurns(): number[] {
    return Array.from({ length: this.#turns }, (_, index) => index + 1).filter((turn) => !this.#mapped.turns.has(turn))
  }
}

const isTarget = <Target>(target: Target): target is Extract<Target, object> =>
  typeof target === 'object' && target !== null

/** Makes headers unique: a column of the result is renamed where the file has one of that name. */
export function toUniqueColumnNames(headers: readonly string[]): string[] {
  const taken = new Set<string>()
  return headers.map((header) => {
    let unique = header
    for (let number = 2; taken.has(unique); number++) unique = `${header} (${number})`
    taken.add(unique)
    return unique
  })
}

/** Flattens objects to dotted names; a list remains one cell, as JSON. */
export function flattenOutputs(outputs: Record<string, unknown>): Map<string, CsvCell> {
  const flat = new Map<string, CsvCell>()
  const stack: [string, unknown][] = Object.entries(outputs).reverse()
  for (let next = stack.pop(); next; next = stack.pop()) {
    const [name, value] = next
    const parts = Object.entries(asRecord(value) ?? {})
    if (parts.length === 0) flat.set(name, toCsvCell(value))
    else for (const [part, inner] of parts.reverse()) stack.push([`${name}.${part}`, inner])
  }
  return flat
}

const getOwn = (record: Record<string, unknown>, name: string): unknown =>
  Object.hasOwn(record, name) ? record[name] : null

function toCsvCell(value: unknown): CsvCell {
  if (value === null || value === undefined) return null
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  return JSON.stringify(value)
}
