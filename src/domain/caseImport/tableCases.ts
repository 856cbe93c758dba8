import type { SuiteTarget } from '#contract/console/suites.ts'
import { parseAssertion } from './assertionText.ts'
import { type CaseField, findQuestion, toTag, toVariable } from './caseFields.ts'
import type { Table } from '../tables/table.ts'

/** Columns of promptfoo that are not used here. */
const UNUSED_COLUMN = /^__(prefix|suffix|providerOutput|threshold|config:)/

/**
 * A table with promptfoo's columns: one per variable, `__expected`, `__expected1` …, `__description`, `__metric`,
 * `__metadata:key`. Rows with a reading fault become no cases.
 */
export function readTableCases({ heads, head, rows, problems }: Table, target: SuiteTarget) {
  if (problems.some(({ kind }) => kind === 'repeated_head')) return { rows: [], problems }
  const question = findQuestion(
    heads.filter((name, index) => head?.cells[index]?.trim() && !name.startsWith('__')),
    target,
  )
  const faultyRows = new Set(problems.map(({ row }) => row))
  const read = rows
    .filter((_, index) => !faultyRows.has(index + 1))
    .map(({ line, cells }) => {
      const row = new Map(heads.map((name, index) => [name, cells[index] ?? '']))
      return { line, fields: heads.flatMap((column) => readCell(column, row, question)) }
    })
  return { rows: read, problems }
}

function readCell(column: string, row: ReadonlyMap<string, string>, question: string | null): CaseField | CaseField[] {
  const cell = row.get(column) ?? ''
  const value = cell.trim()
  if (!column.startsWith('__')) return toVariable(column, column, cell, question)
  if (/^__expected\d*$/.test(column) && value !== '') {
    const threshold = row.get(`__config:${column}:threshold`)?.trim()
    const metric = row.get('__metric')?.trim()
    const more = { ...(threshold && { threshold: Number(threshold) }), ...(metric && { metric }) }
    return { column, part: 'check', ...parseAssertion(cell, more) }
  }
  if (/^__(expected\d*|metric|config:__expected\d*:threshold)$/.test(column)) return { column, part: 'check' }
  if (column === '__description') return { column, part: 'name', value }
  if (column === '__metadata:split') return { column, part: 'split', value }
  if (column.startsWith('__metadata:')) return readTags(column, cell)
  if (UNUSED_COLUMN.test(column)) return { column, part: 'left_out' }
  return { column, fault: 'is no column of promptfoo. Variables must not begin with __.' }
}

/** `__metadata:topic` is `topic=value`, and `__metadata:tags[]` a list separated by commas. */
function readTags(column: string, cell: string): CaseField[] {
  const key = column.slice('__metadata:'.length)
  const name = key.replace(/\[\]$/, '')
  const values = (name === key ? [cell] : cell.split(',')).map((value) => value.trim())
  return values.map((value) => toTag(column, value === '' || /^tags?$/.test(name) ? value : `${name}=${value}`))
}
