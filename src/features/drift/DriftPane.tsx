import { ActionIcon, Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { DriftRow } from '#contract/drifts.ts'
import { platformEntries } from '#contract/entries.ts'
import { paths } from '../../paths.ts'
import { count } from '../../run/figures.ts'
import { InspectorPane } from '../../run/InspectorPane.tsx'
import { useInspectorPane } from '../../run/useInspectorPane.ts'
import { RawJson } from '../../ui/RawJson.tsx'
import { Since } from '../../ui/Since.tsx'
import { useWords } from '../../ui/words.ts'
import { CopyReport, type CopyReportProps } from './CopyReport.tsx'
import classes from './Drift.module.css'
import { MEANS, placeOf, SEEN_WORDS } from './kinds.ts'
import { driftWords } from './messages.ts'

export interface DriftPaneProps {
  isOpen: boolean
  /** Undefined where it is not among what is listed. */
  row: DriftRow | undefined
  report: (row: DriftRow) => CopyReportProps
  onClose: () => void
}

/** One way in which the platform differs: what it means, how often it came, its first sample, and the call it came in. */
export function DriftPane({ isOpen, row, report, onClose }: DriftPaneProps) {
  const t = useWords(driftWords)
  const pane = useInspectorPane('drift')
  return (
    <InspectorPane name="drift" pane={{ ...pane, isOpen, toggle: onClose }}>
      <div className={classes.pane}>
        <header className={classes.headline}>
          <h2 dir="auto">{row ? placeOf(t, row) : t('title')}</h2>
          <ActionIcon aria-label={t('close')} onClick={onClose}>
            <IconX size={16} />
          </ActionIcon>
        </header>
        {row ? <Facts row={row} report={report(row)} /> : <p className={classes.note}>{t('gone')}</p>}
      </div>
    </InspectorPane>
  )
}

function Facts({ row, report }: { row: DriftRow; report: CopyReportProps }) {
  const t = useWords(driftWords)
  const entry = platformEntries.get(row.operation)
  const facts: [string, ReactNode][] = [
    [t('kind'), t(SEEN_WORDS[row.kind])],
    [t('operation'), <code key="operation">{row.operation}</code>],
    [t('asked'), <code key="asked">{entry ? `${entry.method} ${entry.path}` : ''}</code>],
    ...(row.event === null ? [] : ([[t('event'), <code key="event">{row.event}</code>]] as [string, ReactNode][])),
    [t('times'), count(row.count)],
    [t('firstSeen'), <Since key="first" at={row.first_seen} ago />],
    [t('lastSeen'), <Since key="last" at={row.last_seen} ago />],
    [t('call'), row.call ? <code key="call">{row.call.slice(0, 8)}</code> : t('noCall')],
  ]
  return (
    <>
      <p>{t(MEANS[row.kind])}</p>
      <dl className={classes.facts}>
        {facts.map(([name, value]) => [<dt key={name}>{name}</dt>, <dd key={`${name} is`}>{value}</dd>])}
      </dl>
      <div className={classes.deeds}>
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
