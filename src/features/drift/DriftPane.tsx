import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { DriftRow } from '#contract/console/drift.ts'
import { platformEntries } from '#contract/platformEntries.ts'
import { paths } from '#domain/paths.ts'
import { formatCount } from '#domain/metricFormat.ts'
import { type Fact, FactList } from '../ledger/FactList.tsx'
import { InspectorPane, useInspectorPane } from '../runs/inspector/InspectorPane.tsx'
import { RawJson } from '../../components/data/json/RawJson.tsx'
import { RelativeTime } from '../../components/data/RelativeTime.tsx'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { CopyReport, type CopyReportProps } from './CopyReport.tsx'
import { getDriftLocation, KIND_EXPLANATIONS, OBSERVED_KIND_MESSAGES, SEVERITY_MESSAGES } from './driftKinds.ts'
import { driftMessages } from './messages.ts'

export interface DriftPaneProps {
  isOpen: boolean
  /** Undefined where it is not among what is listed. */
  row: DriftRow | undefined
  report: (row: DriftRow) => CopyReportProps
  onClose: () => void
}

/** One deviation of the platform: meaning, count, first sample, and its call. */
export function DriftPane({ isOpen, row, report, onClose }: DriftPaneProps) {
  const t = useMessages(driftMessages)
  const pane = useInspectorPane('drift')
  return (
    <InspectorPane name="drift" pane={{ ...pane, isOpen, toggle: onClose }}>
      <Stack flex={1} mih={0} p="md" style={{ overflowY: 'auto' }}>
        <Group component="header" gap="sm" align="start" wrap="nowrap">
          <Text component="h2" dir="auto" flex={1} miw={0} ff="monospace" fz="sm" fw={600} style={ANYWHERE}>
            {row ? getDriftLocation(t, row) : t('title')}
          </Text>
          <ActionIcon aria-label={t('close')} onClick={onClose}>
            <IconX size={16} />
          </ActionIcon>
        </Group>
        {row ? <DriftFacts row={row} report={report(row)} /> : <Note>{t('gone')}</Note>}
      </Stack>
    </InspectorPane>
  )
}

function DriftFacts({ row, report }: { row: DriftRow; report: CopyReportProps }) {
  const t = useMessages(driftMessages)
  const entry = platformEntries.get(row.operation)
  const facts: Fact[] = [
    [t('kind'), t(OBSERVED_KIND_MESSAGES[row.kind])],
    [t('severity'), t(SEVERITY_MESSAGES[row.severity])],
    [t('operation'), <code key="operation">{row.operation}</code>],
    [t('request'), <code key="asked">{entry ? `${entry.method} ${entry.path}` : ''}</code>],
    ...(row.places.length === 1 ? [] : [[t('places'), <PlaceList key="places" row={row} />] as const]),
    ...(row.event === null ? [] : [[t('event'), <code key="event">{row.event}</code>] as const]),
    [t('times'), formatCount(row.count)],
    [t('firstSeen'), <RelativeTime key="first" at={row.first_seen} />],
    [t('lastSeen'), <RelativeTime key="last" at={row.last_seen} />],
    [t('call'), row.call ? <code key="call">{row.call.slice(0, 8)}</code> : t('noCall')],
  ]
  return (
    <>
      <Text fz="sm">{t(KIND_EXPLANATIONS[row.kind])}</Text>
      <FactList facts={facts} />
      <Group gap="xs">
        {row.call ? (
          <Button variant="default" component={Link} to={paths.ledger({ workspace: row.workspace, call: row.call })}>
            {t('openCall')}
          </Button>
        ) : null}
        <CopyReport {...report} />
      </Group>
      <RawJson label={t('sample')} value={row.sample} />
      <Note>{t('sampleNote')}</Note>
    </>
  )
}

/** Every place of a difference that shows in several operations or events. */
function PlaceList({ row }: { row: DriftRow }) {
  return (
    <Stack component="ul" gap={0}>
      {row.places.map(({ operation, event, path }) => (
        <li key={[operation, event, path].join(' ')}>
          <code>{[operation, event, path].filter(Boolean).join(' › ')}</code>
        </li>
      ))}
    </Stack>
  )
}

const ANYWHERE = { overflowWrap: 'anywhere' } as const

const Note = ({ children }: { children: string }) => (
  <Text c="dimmed" fz="sm">
    {children}
  </Text>
)
