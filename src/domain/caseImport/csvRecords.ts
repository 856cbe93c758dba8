import papaparse from 'papaparse'
import type { SuiteTarget } from '#contract/console/suites.ts'
import { parseAssertion } from './assertionText.ts'
import { CaseBuilder, findQuestion } from './caseFields.ts'
import type { CaseRecord, ImportFault } from './caseRecord.ts'

const GUESSED_DELIMITERS = [',', '\t', ';', '|']
/** Columns of promptfoo that say nothing of a case here. */
const UNUSED_COLUMN = /^__(prefix|suffix|providerOutput|threshold|config:)/

interface CsvRow {
  line: number
  cells: string[]
}

/** CSV with promptfoo's columns: a variable each, `__expected`, `__expected1` …, `__description`, `__metric`, `__metadata:key`. */
export function readCsvRecords(text: string, target: SuiteTarget): { records: CaseRecord[]; faults: ImportFault[] } {
  const { rows, faults } = readRows(text)
  const [head, ...others] = rows
  if (!head && faults.length === 0) faults.push({ line: 1, column: null, message: 'The file is empty.' })
  if (!head) return { records: [], faults }
  const names = head.cells.map((name) => name.trim())
  const repeated = names.find((name, index) => name !== '' && names.indexOf(name) < index)
  if (repeated !== undefined)
    return {
      records: [],
      faults: [{ line: head.line, column: repeated, message: 'is there twice. Rename one of them.' }],
    }
  const variables = names.filter((name) => name !== '' && !name.startsWith('__'))
  const question = findQuestion(variables)
  if (others.length === 0 && faults.length === 0)
    faults.push({ line: head.line, column: null, message: 'There is no row below the header.' })
  return { records: others.map((row) => toRecord(row, names, question, target)), faults }
}

function toRecord({ line, cells }: CsvRow, names: readonly string[], question: string | null, target: SuiteTarget) {
  const builder = new CaseBuilder(line, target)
  if (cells.slice(names.length).some((cell) => cell !== ''))
    builder.fail(null, `has ${cells.length} cells, and the header ${names.length}. Is a quote missing?`)
  const row = names.map((name, index) => ({ name: name || `column ${index + 1}`, cell: cells[index] ?? '' }))
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

/** Rows with the line on which each begins: a cell may have several lines. */
function readRows(text: string): { rows: CsvRow[]; faults: ImportFault[] } {
  const rows: CsvRow[] = []
  const faults: ImportFault[] = []
  let line = 1
  let start = 0
  papaparse.parse<string[]>(text, {
    delimiter: guessDelimiter(text),
    step: ({ data, errors, meta }) => {
      // A quote that is not closed takes all that follows into its cell.
      const fault = errors.find(({ type }) => type === 'Quotes')
      if (fault)
        faults.push({
          line,
          column: null,
          message:
            fault.code === 'MissingQuotes'
              ? 'A quote is not closed: the rest of the file is in its cell.'
              : 'Text follows a closing quote. A quote within a cell is written twice.',
        })
      else if (data.some((cell) => cell.trim() !== '')) rows.push({ line, cells: data })
      line += countLineEnds(text.slice(start, meta.cursor))
      start = meta.cursor
    },
  })
  return { rows, faults }
}

const GUESS_ROWS = 10

/** An empty line counts as a row where lines are counted. */
const guessDelimiter = (text: string): string =>
  papaparse.parse(text, { preview: GUESS_ROWS, skipEmptyLines: 'greedy', delimitersToGuess: GUESSED_DELIMITERS }).meta
    .delimiter

const countLineEnds = (text: string): number => text.match(/\r\n|\n|\r/g)?.length ?? 0
