import { UTF8_BOM, toCsvLine } from '#domain/csv.ts'

export const DOCUMENT_EXPORT_FORMATS = ['jsonl', 'csv', 'md'] as const
export type DocumentExportFormat = (typeof DOCUMENT_EXPORT_FORMATS)[number]

/** One line of an export: a document, one of its segments, or a child chunk of one. */
export interface ExportRow {
  kind: 'document' | 'segment' | 'child_chunk'
  document_id: string
  document_name: string | null
  id: string
  position: number | null
  content: string | null
  answer: string | null
  keywords: readonly string[]
  word_count: number | null
  tokens: number | null
  hit_count: number | null
  status: string | null
  enabled: boolean | null
  created_at: number | null
  error: string | null
  segment_id: string | null
  /** The record as the platform sent it; in JSONL only. */
  record: unknown
}

const DOCUMENT_EXPORT_COLUMNS = [
  'kind',
  'document_id',
  'document_name',
  'segment_id',
  'id',
  'position',
  'content',
  'answer',
  'keywords',
  'word_count',
  'tokens',
  'hit_count',
  'status',
  'enabled',
  'created_at',
  'error',
] as const satisfies readonly (keyof ExportRow)[]

/** What stands before the first row. */
export const toExportHeader = (format: DocumentExportFormat): string =>
  format === 'csv' ? UTF8_BOM + toCsvLine(DOCUMENT_EXPORT_COLUMNS) : ''

/** One row as it stands in the file, with its line end. */
export function formatExportRow(format: DocumentExportFormat, row: ExportRow): string {
  if (format === 'jsonl') return `${JSON.stringify(row)}\n`
  if (format === 'csv')
    return toCsvLine(DOCUMENT_EXPORT_COLUMNS.map((name) => (name === 'keywords' ? row.keywords.join('; ') : row[name])))
  return toMarkdown(row)
}

function toMarkdown({ kind, document_name, id, position, content, answer, keywords }: ExportRow): string {
  if (kind === 'document') return `# ${escapeLine(document_name ?? id)}\n\n\`${id}\`\n\n`
  const head = kind === 'segment' ? `## Segment ${position ?? ''}`.trim() : `### Child chunk ${position ?? ''}`.trim()
  const fence = '`'.repeat(Math.max(3, getLongestBacktickRun(content ?? '') + 1))
  return [
    `${head}\n\n\`${id}\`\n`,
    `${fence}text\n${content ?? ''}\n${fence}\n`,
    answer ? `**Answer:** ${escapeLine(answer)}\n` : '',
    keywords.length > 0 ? `Keywords: ${keywords.map(escapeLine).join(', ')}\n` : '',
  ]
    .filter(Boolean)
    .concat('')
    .join('\n')
}

/** Text that is not ours on one line, with what Markdown or HTML would read in it set apart. */
const escapeLine = (text: string): string => text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>#|]/g, '\\$&')
const getLongestBacktickRun = (text: string): number =>
  Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
