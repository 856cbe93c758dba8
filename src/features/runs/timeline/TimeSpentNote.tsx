import { IconInfoCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { getNodeName } from './nodeDisplay.ts'
import { timelineMessages } from './messages.ts'
import type { TimelineData } from './timelineSpans.ts'
import classes from './Timeline.module.css'
import { getIdleShare, type TimeShare, findSlowestSpans } from './timeSpent.ts'

/** One sentence on where the time of a run went; nothing for a duration of zero. */
export function TimeSpentNote({ timeline }: { timeline: TimelineData }) {
  const t = useMessages(timelineMessages)
  const [first, second] = findSlowestSpans(timeline)
  if (!first) return null
  const idle = getIdleShare(timeline)
  const what = ({ span: { node } }: TimeShare) =>
    node.retries.length > 0
      ? t.rich('whatTries', { b: bold, count: node.retries.length + 1, name: getNodeName(node) })
      : t.rich('what', { b: bold, name: getNodeName(node) })
  return (
    <p className={classes.spent}>
      <IconInfoCircle size={15} aria-hidden />
      <span>
        {second
          ? t.rich('topTwoNodes', {
              b: bold,
              share: formatPercent(first.share),
              first: () => <span key="first">{what(first)}</span>,
              next: formatPercent(second.share),
              second: () => <span key="second">{what(second)}</span>,
            })
          : t.rich('topNode', {
              b: bold,
              share: formatPercent(first.share),
              first: () => <span key="first">{what(first)}</span>,
            })}{' '}
        {idle >= 0.1 ? t('idle', { share: formatPercent(idle) }) : null}
      </span>
    </p>
  )
}

const bold = (words: ReactNode) => <b>{words}</b>
const formatPercent = (share: number): string => `${Math.round(share * 100)} %`
