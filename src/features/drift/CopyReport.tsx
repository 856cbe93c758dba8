import { Button, Menu } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { driftMessages } from './messages.ts'
import type { DriftRow, UnseenPart } from '#contract/console/drift.ts'
import type { Workspace } from '#contract/console/workspaces.ts'
import {
  UNOBSERVED_KIND_MESSAGES,
  getDriftLocation,
  listPlaceOperations,
  OBSERVED_KIND_MESSAGES,
  SEVERITY_MESSAGES,
} from './driftKinds.ts'
import { truncateSample } from './ObservedTable.tsx'
import { isJsonContainer } from '#domain/losslessJson.ts'

export interface CopyReportProps {
  count: number
  markdown: () => string
  json: () => string
}

/** The list as a bug report. Its texts are created on demand. */
export function CopyReport({ count, markdown, json }: CopyReportProps) {
  const t = useMessages(driftMessages)
  const { copy, copied } = useClipboard({ timeout: 2_000 })
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={copied ? <IconCheck size={14} /> : <IconCopy size={14} />}>
          <span aria-live="polite">{t(copied ? 'copied' : 'copy')}</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('copyText', { count })}</Menu.Label>
        <Menu.Item onClick={() => copy(markdown())}>{t('markdown')}</Menu.Item>
        <Menu.Item onClick={() => copy(json())}>{t('json')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

export function useDriftReport(workspace: Workspace | undefined) {
  const t = useMessages(driftMessages)
  const origin = () => ({
    title: t('title'),
    workspace: workspace?.name ?? '',
    base_url: workspace?.base_url ?? '',
    createdAt: new Date().toISOString(),
  })
  const toReportLine = (row: DriftRow | UnseenPart): ReportLine => {
    const location: ReportLine['cells'] = [
      [t('difference'), getDriftLocation(t, row)],
      [t('kind'), 'sample' in row ? t(OBSERVED_KIND_MESSAGES[row.kind]) : t(UNOBSERVED_KIND_MESSAGES[row.kind])],
      [t('operation'), 'places' in row ? listPlaceOperations(row).join(', ') : row.operation],
    ]
    if (!('sample' in row)) return { cells: [...location, [t('since'), row.since ?? '']] }
    const seen: ReportLine['cells'] = [
      [t('severity'), t(SEVERITY_MESSAGES[row.severity])],
      [t('value'), truncateSample(row) ?? ''],
      [t('times'), String(row.count)],
      [t('firstSeen'), row.first_seen],
      [t('lastSeen'), row.last_seen],
    ]
    return { cells: [...location, ...seen], sample: row.sample }
  }
  return (rows: readonly (DriftRow | UnseenPart)[]): CopyReportProps => ({
    count: rows.length,
    markdown: () => toMarkdownReport(origin(), rows.map(toReportLine)),
    json: () => toJsonReport(origin(), rows),
  })
}

interface ReportOrigin {
  title: string
  workspace: string
  base_url: string
  /** ISO 8601. */
  createdAt: string
}

/** A row as a report has it: the columns by their heads, and the sample if there is one. */
interface ReportLine {
  cells: readonly (readonly [head: string, value: string])[]
  sample?: unknown
}

/** For a bug report: a table, followed by the samples that are not plain values. */
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

const toJsonReport = (
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
