import { readFileSync, writeFileSync } from 'node:fs'
import { format } from 'oxfmt'
import type { Figure } from './figures.ts'

/** A measured figure, or one that was carried over from an older document as text ("1.39 to 1.51"). */
export interface RecordedFigure extends Omit<Figure, 'value'> {
  value: number | string
}

/** The last complete measurement of one bench. */
export interface BenchRecord {
  bench: string
  /** Day of the measurement, UTC, `2026-11-22`. */
  date: string
  /** Short hash of the commit that was measured. */
  commit: string
  node: string
  cores: number
  note?: string
  figures: RecordedFigure[]
}

const RECORDS = new URL('../docs/performance.json', import.meta.url)
const DOCUMENT = new URL('../docs/performance.md', import.meta.url)
const BEGIN = '<!-- figures: begin (npm run bench writes this part) -->'
const END = '<!-- figures: end -->'

export const readRecords = (): BenchRecord[] => JSON.parse(readFileSync(RECORDS, 'utf8')) as BenchRecord[]

/** Replaces the records of the benches that were measured now, and appends those that are new. */
export function mergeRecords(
  records: readonly BenchRecord[],
  figures: readonly (Figure & { bench: string })[],
  source: Pick<BenchRecord, 'date' | 'commit' | 'node' | 'cores'>,
): BenchRecord[] {
  const byBench = new Map(records.map((record) => [record.bench, record]))
  for (const [bench, measured] of Map.groupBy(figures, (figure) => figure.bench))
    byBench.set(bench, { bench, ...source, figures: measured.map(({ bench: _, ...figure }) => figure) })
  return [...byBench.values()]
}

/** The document with one table per record between its two markers. */
export async function renderDocument(document: string, records: readonly BenchRecord[]): Promise<string> {
  const begin = document.indexOf(BEGIN)
  const end = document.indexOf(END)
  if (begin < 0 || end < begin) throw new Error(`docs/performance.md needs the markers ${BEGIN} and ${END}`)
  const text = [document.slice(0, begin + BEGIN.length), ...records.map(toSection), document.slice(end)].join('\n\n')
  return (await format('performance.md', text, { printWidth: 120 })).code
}

export async function writeReport(records: readonly BenchRecord[]): Promise<void> {
  writeFileSync(RECORDS, (await format('performance.json', JSON.stringify(records), { printWidth: 120 })).code)
  writeFileSync(DOCUMENT, await renderDocument(readFileSync(DOCUMENT, 'utf8'), records))
}

function toSection({ bench, date, commit, node, cores, note, figures }: BenchRecord): string {
  const source = `Measured ${date}, commit \`${commit}\`, Node ${node}, ${cores} cores.${note ? ` ${note}` : ''}`
  const rows = [
    ['what', 'value', 'goal', 'compared with'],
    ['---', '---', '---', '---'],
    ...figures.map(({ what, value, unit, against = '', goal = '' }) => [
      what,
      `${formatValue(value)} ${unit}`.trim(),
      goal,
      against,
    ]),
  ]
  const table = rows.map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`).join('\n')
  return [`### ${bench}`, source, table].join('\n\n')
}

export const formatValue = (value: number | string): string =>
  typeof value === 'string' ? value : Number(value.toPrecision(3)).toLocaleString('en-US')
