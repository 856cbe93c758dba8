/** Maximum number of columns for outputs; further outputs share one column as JSON. */
const MAX_OUTPUT_COLUMNS = 500
export const OVERFLOW_COLUMN = 'outputs.more'

export type CsvCell = string | number | boolean | null

/** The columns of a batch's CSV, in the order in which its rows name them. */
export class ExportColumns {
  readonly #inputs = new Set<string>()
  readonly #extraColumns = new Set<string>()
  readonly #outputs = new Set<string>()
  #hasFiles = false
  #hasOverflow = false

  add(row: {
    inputs: Record<string, unknown>
    files?: readonly unknown[] | undefined
    beside: Record<string, string>
    outputs: Record<string, unknown>
  }): void {
    for (const name of Object.keys(row.inputs)) this.#inputs.add(name)
    this.#hasFiles ||= row.files !== undefined
    for (const name of Object.keys(row.beside)) this.#extraColumns.add(name)
    for (const name of flattenOutputs(row.outputs).keys())
      if (this.#outputs.size < MAX_OUTPUT_COLUMNS) this.#outputs.add(name)
      else this.#hasOverflow ||= !this.#outputs.has(name)
  }

  get headers(): string[] {
    return [
      ...[...this.#inputs].map((name) => `inputs.${name}`),
      ...(this.#hasFiles ? ['files'] : []),
      ...[...this.#extraColumns].map((name) => `column.${name}`),
      ...this.#outputs,
      ...(this.#hasOverflow ? [OVERFLOW_COLUMN] : []),
    ]
  }

  toCells(row: Parameters<ExportColumns['add']>[0]): CsvCell[] {
    const outputs = flattenOutputs(row.outputs)
    const overflow = [...outputs].filter(([name]) => !this.#outputs.has(name))
    return [
      ...[...this.#inputs].map((name) => toCsvCell(getOwn(row.inputs, name))),
      ...(this.#hasFiles ? [toCsvCell(row.files)] : []),
      ...[...this.#extraColumns].map((name) => toCsvCell(getOwn(row.beside, name))),
      ...[...this.#outputs].map((name) => outputs.get(name) ?? null),
      ...(this.#hasOverflow ? [overflow.length > 0 ? JSON.stringify(Object.fromEntries(overflow)) : null] : []),
    ]
  }
}

/** Flattens objects to dotted names; a list remains one cell, as JSON. */
export function flattenOutputs(outputs: Record<string, unknown>): Map<string, CsvCell> {
  const flat = new Map<string, CsvCell>()
  const stack: [string, unknown][] = Object.entries(outputs).reverse()
  for (let next = stack.pop(); next; next = stack.pop()) {
    const [name, value] = next
    const parts = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []
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
