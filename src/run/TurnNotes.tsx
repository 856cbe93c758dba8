import { IconAlertTriangle } from '@tabler/icons-react'
import { NAMELESS, NOT_AN_OBJECT } from '#contract/unknown.ts'
import { useWords } from '../ui/words.ts'
import { runWords } from './messages.ts'
import { isOver, type Turn } from './turn.ts'
import classes from './TurnNotes.module.css'

/** What was odd about a stream that an answer came of all the same. Nothing for one as it should be. */
export function TurnNotes({ turn }: { turn: Turn }) {
  const t = useWords(runWords)
  const { unknown, late, text } = turn.answer
  // A reply that came whole has no frames; what it lacks is its problem's to say.
  if (turn.frames === 0) return null
  const unreadable = unknown
    .filter(({ event }) => event === NOT_AN_OBJECT || event === NAMELESS)
    .reduce((sum, { count }) => sum + count, 0)
  const notes = [
    unreadable > 0 ? t('unreadable', { count: unreadable }) : null,
    late > 0 ? t('late', { count: late }) : null,
    // What is no UTF-8 has become U+FFFD, on the way here or before it.
    isOver(turn) && text.includes('\uFFFD') ? t('damaged') : null,
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
