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
import { toJsonReport, type ReportLine, toMarkdownReport } from './driftReport.ts'
import { truncateSample } from './ObservedTable.tsx'

export interface CopyReportProps {
  count: number
  markdown: () => string
  json: () => string
}

/** What is listed, for a bug report. The texts are made when they are asked for. */
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

/** Makes a report of rows of one list, with the words of the screen. */
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
