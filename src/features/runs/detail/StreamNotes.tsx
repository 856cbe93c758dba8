import { IconAlertTriangle } from '@tabler/icons-react'
import { UNNAMED_EVENT, NOT_AN_OBJECT } from '#domain/stream/unknownEvents.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { runMessages } from './messages.ts'
import { isTurnOver, type Turn } from '../turn.ts'
import classes from './StreamNotes.module.css'

/** What was odd about a stream that an answer came of all the same. Nothing for one as it should be. */
export function StreamNotes({ turn }: { turn: Turn }) {
  const t = useMessages(runMessages)
  const { unknown, late, text } = turn.answer
  // A reply that came whole has no frames; what it lacks is its problem's to say.
  if (turn.frames === 0) return null
  const unreadable = unknown
    .filter(({ event }) => event === NOT_AN_OBJECT || event === UNNAMED_EVENT)
    .reduce((sum, { count }) => sum + count, 0)
  const notes = [
    unreadable > 0 ? t('unreadable', { count: unreadable }) : null,
    late > 0 ? t('late', { count: late }) : null,
    // What is no UTF-8 has become U+FFFD, on the way here or before it.
    isTurnOver(turn) && text.includes('\uFFFD') ? t('damaged') : null,
  ].filter((note) => note !== null)
  if (notes.length === 0) return null
  return (
    <ul className={classes.notes} aria-label={t('oddities')}>
      {notes.map((note) => (
        <li key={note}>
          <IconAlertTriangle size={13} aria-hidden="true" />
          {note}
        </li>
      ))}
    </ul>
  )
}
