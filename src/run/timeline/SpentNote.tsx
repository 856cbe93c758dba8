import { IconInfoCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useWords } from '../../ui/words.ts'
import { nameOf } from './look.ts'
import { timelineWords } from './messages.ts'
import type { Timeline } from './spans.ts'
import classes from './Timeline.module.css'
import { idleShare, type Spent, whereTimeWent } from './where.ts'

/** One sentence on where the time of a run went; none for a run that took none. */
export function SpentNote({ timeline }: { timeline: Timeline }) {
  const t = useWords(timelineWords)
  const [first, second] = whereTimeWent(timeline)
  if (!first) return null
  const idle = idleShare(timeline)
  const what = ({ span: { node } }: Spent) =>
    node.retries.length > 0
      ? t.rich('whatTries', { b, count: node.retries.length + 1, name: nameOf(node) })
      : t.rich('what', { b, name: nameOf(node) })
  return (
    <p className={classes.spent}>
      <IconInfoCircle size={15} aria-hidden />
      <span>
        {second
          ? t.rich('spentTwo', {
              b,
              share: percent(first.share),
              first: () => <span key="first">{what(first)}</span>,
              next: percent(second.share),
              second: () => <span key="second">{what(second)}</span>,
            })
          : t.rich('spentOne', {
              b,
              share: percent(first.share),
              first: () => <span key="first">{what(first)}</span>,
            })}{' '}
        {idle >= 0.1 ? t('idle', { share: percent(idle) }) : null}
      </span>
    </p>
  )
}

const b = (words: ReactNode) => <b>{words}</b>
const percent = (share: number): string => `${Math.round(share * 100)} %`
