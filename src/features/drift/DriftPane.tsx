import { ActionIcon, Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { DriftRow } from '#contract/console/drift.ts'
import { platformEntries } from '#contract/platformEntries.ts'
import { paths } from '#domain/paths.ts'
import { formatCount } from '#domain/metricFormat.ts'
import { InspectorPane, useInspectorPane } from '../runs/inspector/InspectorPane.tsx'
import { RawJson } from '../../components/data/json/RawJson.tsx'
import { RelativeTime } from '../../components/data/RelativeTime.tsx'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { CopyReport, type CopyReportProps } from './CopyReport.tsx'
import classes from './Drift.module.css'
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
      <div className={classes.pane}>
        <header className={classes.headline}>
          <h2 dir="auto">{row ? getDriftLocation(t, row) : t('title')}</h2>
          <ActionIcon aria-label={t('close')} onClick={onClose}>
            <IconX size={16} />
          </ActionIcon>
        </header>
        {row ? <DriftFacts row={row} report={report(row)} /> : <p className={classes.note}>{t('gone')}</p>}
      </div>
    </InspectorPane>
  )
}

function DriftFacts({ row, report }: { row: DriftRow; report: CopyReportProps }) {
  const t = useMessages(driftMessages)
  const entry = platformEntries.get(row.operation)
  const facts: [string, ReactNode][] = [
    [t('kind'), t(OBSERVED_KIND_MESSAGES[row.kind])],
    [t('severity'), t(SEVERITY_MESSAGES[row.severity])],
    [t('operation'), <code key="operation">{row.operation}</code>],
    [t('request'), <code key="asked">{entry ? `${entry.method} ${entry.path}` : ''}</code>],
    ...(row.places.length === 1
      ? []
      : ([[t('places'), <PlaceList key="places" row={row} />]] as [string, ReactNode][])),
    ...(row.event === null ? [] : ([[t('event'), <code key="event">{row.event}</code>]] as [string, ReactNode][])),
    [t('times'), formatCount(row.count)],
    [t('firstSeen'), <RelativeTime key="first" at={row.first_seen} />],
    [t('lastSeen'), <RelativeTime key="last" at={row.last_seen} />],
    [t('call'), row.call ? <code key="call">{row.call.slice(0, 8)}</code> : t('noCall')],
  ]
  return (
    <>
      <p>{t(KIND_EXPLANATIONS[row.kind])}</p>
      <dl className={classes.facts}>
        {facts.map(([name, value]) => [<dt key={name}>{name}</dt>, <dd key={`${name} is`}>{value}</dd>])}
      </dl>
      <div className={classes.actions}>
        {row.call ? (
          <Button variant="default" component={Link} to={paths.ledger({ workspace: row.workspace, call: row.call })}>
            {t('openCall')}
          </Button>
        ) : null}
        <CopyReport {...report} />
      </div>
      <RawJson label={t('sample')} value={row.sample} />
      <p className={classes.note}>{t('sampleNote')}</p>
    </>
  )
}

/** Every place of a difference that shows in several operations or events. */
function PlaceList({ row }: { row: DriftRow }) {
  return (
    <ul className={classes.places}>
      {row.places.map(({ operation, event, path }) => (
        <li key={[operation, event, path].join(' ')}>
          <code>{[operation, event, path].filter(Boolean).join(' › ')}</code>
        </li>
      ))}
    </ul>
  )
}
