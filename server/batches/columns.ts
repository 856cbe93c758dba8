/** Columns that outputs may open; what is beyond them stands in one column as JSON. */
const OUTPUT_COLUMNS = 500
export const MORE = 'outputs.more'

export type Cell = string | number | boolean | null

/** The columns of a batch's CSV, in the order in which its rows name them. */
export class Columns {
  readonly #inputs = new Set<string>()
  readonly #beside = new Set<string>()
  readonly #outputs = new Set<string>()
  #hasFiles = false
  #hasMore = false

  add(row: {
    inputs: Record<string, unknown>
    files?: readonly unknown[] | undefined
    beside: Record<string, string>
    outputs: Record<string, unknown>
  }): void {
    for (const name of Object.keys(row.inputs)) this.#inputs.add(name)
    this.#hasFiles ||= row.files !== undefined
    for (const name of Object.keys(row.beside)) this.#beside.add(name)
    for (const name of flatten(row.outputs).keys())
      if (this.#outputs.size < OUTPUT_COLUMNS) this.#outputs.add(name)
      else this.#hasMore ||= !this.#outputs.has(name)
  }

  get heads(): string[] {
    return [
      ...[...this.#inputs].map((name) => `inputs.${name}`),
      ...(this.#hasFiles ? ['files'] : []),
      ...[...this.#beside].map((name) => `column.${name}`),
      ...this.#outputs,
      ...(this.#hasMore ? [MORE] : []),
    ]
  }

  cells(row: Parameters<Columns['add']>[0]): Cell[] {
    const outputs = flatten(row.outputs)
    const more = [...outputs].filter(([name]) => !this.#outputs.has(name))
    return [
      ...[...this.#inputs].map((name) => cellOf(own(row.inputs, name))),
      ...(this.#hasFiles ? [cellOf(row.files)] : []),
      ...[...this.#beside].map((name) => cellOf(own(row.beside, name))),
      ...[...this.#outputs].map((name) => outputs.get(name) ?? null),
      ...(this.#hasMore ? [more.length > 0 ? JSON.stringify(Object.fromEntries(more)) : null] : []),
    ]
  }
}

/** Objects as dotted names, to the leaves; a list stays one cell, as JSON. */
export function flatten(outputs: Record<string, unknown>): Map<string, Cell> {
  const flat = new Map<string, Cell>()
  const waiting: [string, unknown][] = Object.entries(outputs).reverse()
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [name, value] = next
    const parts = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []
    if (parts.length === 0) flat.set(name, cellOf(value))
    else for (const [part, inner] of parts.reverse()) waiting.push([`${name}.${part}`, inner])
  }
  return flat
}

const own = (record: Record<string, unknown>, name: string): unknown =>
  Object.hasOwn(record, name) ? record[name] : null

function cellOf(value: unknown): Cell {
  if (value === null || value === undefined) return null
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  return JSON.stringify(value)
}
