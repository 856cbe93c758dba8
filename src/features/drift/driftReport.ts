import type { DriftRow, UnseenPart } from '#contract/console/drift.ts'
import { isJsonContainer } from '#domain/losslessJson.ts'

/** What a report says of where it comes from. */
export interface ReportOrigin {
  title: string
  workspace: string
  base_url: string
  /** ISO 8601. */
  createdAt: string
}

/** A row as a report has it: the columns by their heads, and the sample if there is one. */
export interface ReportLine {
  cells: readonly (readonly [head: string, value: string])[]
  sample?: unknown
}

/** For a bug report: a table, and below it the samples that are no plain value. */
export function toMarkdownReport(
  { title, workspace, base_url, createdAt }: ReportOrigin,
  lines: readonly ReportLine[],
): string {
  const heads = lines[0]?.cells.map(([head]) => head) ?? []
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const samples = lines.filter(({ sample }) => isJsonContainer(sample))
  return [
    `# ${title}: ${escapeMarkdown(workspace)}`,
    '',
    `${escapeMarkdown(base_url)}, ${createdAt}`,
    '',
    row(heads),
    row(heads.map(() => '---')),
    ...lines.map(({ cells }) => row(cells.map(([, value]) => toMarkdownCell(value)))),
    ...samples.flatMap(({ cells, sample }) => [
      '',
      toMarkdownCell(cells[0]?.[1] ?? ''),
      '',
      ...toFencedBlock(JSON.stringify(sample, null, 2)),
    ]),
    '',
  ].join('\n')
}

export const toJsonReport = (
  { workspace, base_url, createdAt }: ReportOrigin,
  rows: readonly (DriftRow | UnseenPart)[],
): string => JSON.stringify({ workspace, base_url, at: createdAt, rows }, null, 2)

/** Escapes a platform value, so that it cannot end its table cell or code span. */
function toMarkdownCell(value: string): string {
  const text = escapeMarkdown(value).replaceAll('|', '\\|')
  const ticks = '`'.repeat(getLongestFence(text) + 1)
  return text === '' ? '' : text.includes('`') ? `${ticks} ${text} ${ticks}` : `\`${text}\``
}

const escapeMarkdown = (text: string): string => text.replace(/\s+/g, ' ').trim()

function toFencedBlock(text: string): string[] {
  const fence = '`'.repeat(Math.max(3, getLongestFence(text) + 1))
  return [`${fence}json`, text, fence]
}

const getLongestFence = (text: string): number => Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
