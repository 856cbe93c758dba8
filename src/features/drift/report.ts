import type { DriftRow, NeverRow } from '#contract/drifts.ts'

/** What a report says of where it comes from. */
export interface Origin {
  title: string
  workspace: string
  base_url: string
  /** ISO 8601. */
  at: string
}

/** A row as a report has it: the columns by their heads, and the sample if there is one. */
export interface Line {
  cells: readonly (readonly [head: string, value: string])[]
  sample?: unknown
}

/** For a bug report: a table, and below it the samples that are no plain value. */
export function markdownOf({ title, workspace, base_url, at }: Origin, lines: readonly Line[]): string {
  const heads = lines[0]?.cells.map(([head]) => head) ?? []
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const samples = lines.filter(({ sample }) => typeof sample === 'object' && sample !== null)
  return [
    `# ${title}: ${plain(workspace)}`,
    '',
    `${plain(base_url)}, ${at}`,
    '',
    row(heads),
    row(heads.map(() => '---')),
    ...lines.map(({ cells }) => row(cells.map(([, value]) => cellOf(value)))),
    ...samples.flatMap(({ cells, sample }) => [
      '',
      cellOf(cells[0]?.[1] ?? ''),
      '',
      ...fenced(JSON.stringify(sample, null, 2)),
    ]),
    '',
  ].join('\n')
}

export const jsonOf = ({ workspace, base_url, at }: Origin, rows: readonly (DriftRow | NeverRow)[]): string =>
  JSON.stringify({ workspace, base_url, at, rows }, null, 2)

/** A value of the platform's can end neither its cell nor its code. */
function cellOf(value: string): string {
  const text = plain(value).replaceAll('|', '\\|')
  const ticks = '`'.repeat(longest(text) + 1)
  return text === '' ? '' : text.includes('`') ? `${ticks} ${text} ${ticks}` : `\`${text}\``
}

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim()

function fenced(text: string): string[] {
  const fence = '`'.repeat(Math.max(3, longest(text) + 1))
  return [`${fence}json`, text, fence]
}

const longest = (text: string): number => Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
