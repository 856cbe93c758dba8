import {
  MAX_CASE_CHARS,
  MAX_CASES,
  MAX_RETRIEVAL_QUERY_CHARS,
  NewCase,
  type SuiteTarget,
} from '#contract/console/suites.ts'
import { toInvalidProblem } from '#contract/problem.ts'
import type { CasePart, ImportFault } from './caseRecord.ts'
import { readJsonRecords } from './jsonRecords.ts'
import { readTableRecords } from './tableRecords.ts'
import { isJsonText } from '../tables/jsonTable.ts'
import { readTable, type TableContent } from '../tables/readTable.ts'

export interface CaseImport {
  rows: number
  cases: { line: number; case: NewCase }[]
  faults: ImportFault[]
  /** In the order of the file. */
  columns: { column: string; part: CasePart }[]
}

/**
 * Reads cases: a table with promptfoo's columns (CSV, or the rows of a workbook), or JSON Lines or a JSON list of Langfuse, Ragas
 * or promptfoo. A row with a fault is no case.
 */
export function parseCaseImport(source: TableContent['content'], target: SuiteTarget): CaseImport {
  const { records, faults } =
    typeof source === 'string' && isJsonText(source)
      ? readJsonRecords(source, target)
      : readTableRecords(readTable(source), target)
  const imported: CaseImport = { rows: records.length, cases: [], faults: [...faults], columns: [] }
  const parts = new Map<string, CasePart>()
  for (const record of records) {
    const { line, fields, columns } = record
    for (const [column, part] of columns) if (!parts.has(column) || part !== 'left_out') parts.set(column, part)
    const rowFaults = record.faults.map((fault) => ({ line, ...fault }))
    const parsed = rowFaults.length > 0 ? null : readCase(line, fields, target)
    if (parsed && 'case' in parsed) imported.cases.push(parsed)
    else imported.faults.push(...(parsed ? parsed.faults : rowFaults))
  }
  if (imported.cases.length > MAX_CASES)
    imported.faults.push({ line: 1, column: null, message: `A suite has at most ${MAX_CASES} cases.` })
  imported.faults.sort((one, other) => one.line - other.line)
  imported.columns = [...parts].map(([column, part]) => ({ column, part }))
  return imported
}

function readCase(
  line: number,
  fields: Record<string, unknown>,
  target: SuiteTarget,
): { line: number; case: NewCase } | { faults: ImportFault[] } {
  const fail = (message: string) => ({ faults: [{ line, column: null, message }] })
  const parsed = NewCase.safeParse(fields)
  if (!parsed.success) {
    const { fields: wrong = [] } = toInvalidProblem('', parsed.error)
    return { faults: wrong.map(({ path, message }) => ({ line, column: path, message })) }
  }
  const { query } = parsed.data.input
  if (target === 'retrieval' && (query?.length ?? 0) > MAX_RETRIEVAL_QUERY_CHARS)
    return fail(`The question of a retrieval must be at most ${MAX_RETRIEVAL_QUERY_CHARS} characters.`)
  if (JSON.stringify(parsed.data).length > MAX_CASE_CHARS)
    return fail(`A case is at most ${MAX_CASE_CHARS} characters.`)
  return { line, case: parsed.data }
}
