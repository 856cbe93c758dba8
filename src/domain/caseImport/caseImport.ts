import {
  MAX_CASE_CHARS,
  MAX_CASES,
  MAX_RETRIEVAL_QUERY_CHARS,
  MAX_TAGS,
  NewCase,
  type SuiteTarget,
} from '#contract/console/suites.ts'
import { toInvalidProblem } from '#contract/problem.ts'
import { truncateText } from '#contract/truncatedText.ts'
import { type CaseField, type CasePart, hasQuestion } from './caseFields.ts'
import { readJsonCases } from './jsonCases.ts'
import { readTableCases } from './tableCases.ts'
import { isJsonText } from '../tables/jsonTable.ts'
import { readTable, type TableContent } from '../tables/readTable.ts'

/** A fault of a row; the column is null if it concerns the row. */
interface ImportFault {
  line: number
  column: string | null
  message: string
}

export interface CaseImport {
  rows: number
  cases: { line: number; case: NewCase }[]
  faults: ImportFault[]
  /** In the order of the file. */
  columns: { column: string; part: CasePart }[]
}

/**
 * Reads cases: a table with promptfoo's columns (CSV, or the rows of a workbook), or JSON Lines or a JSON list of
 * Langfuse, Ragas or promptfoo. A row with a fault becomes no case.
 */
export function parseCaseImport(source: TableContent['content'], target: SuiteTarget): CaseImport {
  const { rows, problems } =
    typeof source === 'string' && isJsonText(source)
      ? readJsonCases(source, target)
      : readTableCases(readTable(source), target)
  const cases: CaseImport['cases'] = []
  const faults: ImportFault[] = problems.map(({ line, message }) => ({ line, column: null, message }))
  const parts = new Map<string, CasePart>()
  for (const { line, fields } of rows) {
    const read = toCase(fields, target)
    if ('case' in read) cases.push({ line, ...read })
    else faults.push(...read.faults.map((fault) => ({ line, ...fault })))
    for (const { column, part } of fields)
      if (part && (part !== 'left_out' || !parts.has(column))) parts.set(column, part)
  }
  if (cases.length > MAX_CASES)
    faults.push({ line: 1, column: null, message: `A suite has at most ${MAX_CASES} cases.` })
  faults.sort((one, other) => one.line - other.line)
  return { rows: rows.length, cases, faults, columns: [...parts].map(([column, part]) => ({ column, part })) }
}

const MAX_NAME_CHARS = 300

function toCase(fields: CaseField[], target: SuiteTarget): { case: NewCase } | { faults: Omit<ImportFault, 'line'>[] } {
  const fail = (message: string) => ({ faults: [{ column: null, message }] })
  const faults = fields.flatMap(({ column, fault }) => (fault ? [{ column, message: fault }] : []))
  const filled = fields.filter(({ value }) => (value ?? '') !== '')
  const listValues = (part: CasePart) => filled.filter((field) => field.part === part).map(({ value }) => value)
  for (const beyond of filled.filter(({ part }) => part === 'tag').slice(MAX_TAGS)) beyond.part = 'left_out'
  const turns = [fields.findLast(({ part }) => part === 'question' || part === 'earlier')?.value].flat()
  const inputs = fields.flatMap(({ part, name, value }) => (part === 'input' ? [[name, value] as const] : []))
  if (faults.length > 0) return { faults }
  if (hasQuestion(target) && !turns.at(-1)) return fail('has no question. A column must be named query or question.')
  const name = listValues('name').at(-1)
  const parsed = NewCase.safeParse({
    name: typeof name === 'string' ? truncateText(name, MAX_NAME_CHARS) : undefined,
    input: {
      query: turns.at(-1),
      earlier_turns: turns.length > 1 ? turns.slice(0, -1) : undefined,
      inputs: inputs.length > 0 || !hasQuestion(target) ? Object.fromEntries(inputs) : undefined,
    },
    expected: { answer: listValues('answer').at(-1), segments: listValues('source').at(-1) },
    checks: fields.flatMap(({ check }) => check ?? []),
    tags: [...new Set(listValues('tag'))],
    split: listValues('split').at(-1),
  })
  if (!parsed.success) {
    const { fields: wrong = [] } = toInvalidProblem('', parsed.error)
    return { faults: wrong.map(({ path, message }) => ({ column: path, message })) }
  }
  const { query } = parsed.data.input
  if (target === 'retrieval' && (query?.length ?? 0) > MAX_RETRIEVAL_QUERY_CHARS)
    return fail(`A retrieval question must have at most ${MAX_RETRIEVAL_QUERY_CHARS} characters.`)
  if (JSON.stringify(parsed.data).length > MAX_CASE_CHARS)
    return fail(`A case has at most ${MAX_CASE_CHARS} characters.`)
  return { case: parsed.data }
}
