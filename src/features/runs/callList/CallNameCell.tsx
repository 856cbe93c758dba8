import { IconCornerDownRight, IconNote } from '@tabler/icons-react'
import { Link } from 'react-router'
import { RelativeTime } from '../../../components/data/RelativeTime.tsx'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { RUN_KINDS } from '../list/runKinds.ts'
import classes from './CallList.module.css'
import type { CallListRow } from './callListRow.ts'
import { MatchExcerpt } from './MatchExcerpt.tsx'
import { callListMessages } from './messages.ts'

export interface CallNameCellProps {
  row: CallListRow
  link: string
  /** What was searched for; the text round a match is shown when the title does not have it. */
  words: string | undefined
  app: string
  duration: string
  /** Who stopped the run. */
  stopTitle: string | undefined
}

/** The name of a call with its marks; on a narrow screen also what the other columns say. */
export function CallNameCell({ row, link, words, app, duration, stopTitle }: CallNameCellProps) {
  const t = useMessages(callListMessages)
  return (
    <span className={classes.name}>
      <span className={classes.icon}>
        {row.status === 'succeeded' ? null : <StatusBadge status={row.status} isBare title={stopTitle} />}
      </span>
      <span className={classes.lines}>
        <span className={classes.line}>
          {row.parent ? (
            <IconCornerDownRight
              size={14}
              role="img"
              aria-label={t('madeFrom', { id: row.parent.slice(0, 8) })}
              className={classes.child}
            />
          ) : null}
          <Link to={link} dir="auto">
            {row.title || (row.entry in RUN_KINDS ? t('untitled') : row.entry)}
          </Link>
          {row.tags?.map((tag) => (
            <span key={tag} className={classes.tag}>
              {tag}
            </span>
          ))}
          {row.run_note ? <IconNote size={14} role="img" aria-label={row.run_note} title={row.run_note} /> : null}
        </span>
        {words && row.excerpt && !row.title.toLowerCase().includes(words.toLowerCase()) ? (
          <MatchExcerpt text={row.excerpt} words={words} />
        ) : null}
        <span className={classes.second}>
          {row.status === 'succeeded' ? null : <StatusBadge status={row.status} isPlain />}
          <span>{app}</span>
          <span>{duration}</span>
          <RelativeTime at={row.created_at} />
        </span>
      </span>
    </span>
  )
}
