import type { SuiteTarget } from '#contract/console/suites.ts'
import { parseAssertion } from './assertionText.ts'
import { CaseBuilder, findQuestion } from './caseFields.ts'
import type { CaseRecord, ImportFault } from './caseRecord.ts'
import type { Table, TableRow } from '../tables/table.ts'

/** Columns of promptfoo that say nothing of a case here. */
const UNUSED_COLUMN = /^__(prefix|suffix|providerOutput|threshold|config:)/

/**
 * A table with promptfoo's columns: a variable each, `__expected`, `__expected1` …, `__description`, `__metric`,
 * `__metadata:key`. Rows that the reader has a fault in are no records.
 */
export function readTableRecords(
  { heads, head, rows, problems }: Table,
  target: SuiteTarget,
): { records: CaseRecord[]; faults: ImportFault[] } {
  const faults = problems.map(({ line, message }) => ({ line, column: null, message }))
  if (problems.some(({ kind }) => kind === 'repeated_head')) return { records: [], faults }
  const question = findQuestion(heads.filter((name, index) => head?.cells[index]?.trim() && !name.startsWith('__')))
  const faultyRows = new Set(problems.map(({ row }) => row))
  const records = rows
    .filter((_, index) => !faultyRows.has(index + 1))
    .map((row) => toRecord(row, heads, question, target))
  return { records, faults }
}

function toRecord({ line, cells }: TableRow, names: readonly string[], question: string | null, target: SuiteTarget) {
  const builder = new CaseBuilder(line, target)
  const row = names.map((name, index) => ({ name, cell: cells[index] ?? '' }))
  const variables = row.filter(({ name }) => !name.startsWith('__'))
  builder.setVariables(Object.fromEntries(variables.map(({ name, cell }) => [name, cell])), question)
  const metric = row.find(({ name }) => name === '__metric')?.cell.trim()
  for (const { name, cell } of row) {
    if (/^__expected\d*$/.test(name)) {
      builder.use(name, 'check')
      const more = { ...readThreshold(row, name), ...(metric ? { metric } : {}) }
      if (cell.trim() !== '') builder.addCheck(name, parseAssertion(cell, more))
    } else if (name === '__description') builder.setName(name, cell)
    else if (name === '__metric') builder.use(name, 'check')
    else if (/^__config:__expected\d*:threshold$/.test(name)) builder.use(name, 'check')
    else if (name === '__metadata:split') builder.setSplit(name, cell)
    else if (name.startsWith('__metadata:')) {
      builder.use(name, 'tag')
      for (const tag of toTags(name.slice('__metadata:'.length), cell)) builder.addTag(name, tag)
    } else if (UNUSED_COLUMN.test(name)) builder.use(name, 'left_out')
    else if (name.startsWith('__')) builder.fail(name, 'is no column of promptfoo. Variables must not begin with __.')
  }
  return builder.build()
}

/** `__config:__expected1:threshold` is the threshold of that check. */
function readThreshold(row: readonly { name: string; cell: string }[], name: string): { threshold?: number } {
  const cell = row.find((one) => one.name === `__config:${name}:threshold`)?.cell.trim()
  return cell ? { threshold: Number(cell) } : {}
}

/** `__metadata:topic` is `topic=value`, and `__metadata:tags[]` a list separated by commas. */
function toTags(key: string, cell: string): string[] {
  const values = key.endsWith('[]') ? cell.split(',') : [cell]
  const name = key.replace(/\[\]$/, '')
  const filled = values.map((value) => value.trim()).filter((value) => value !== '')
  return filled.map((value) => (name === 'tags' || name === 'tag' ? value : `${name}=${value}`))
}
