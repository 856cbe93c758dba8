import { IconAlertTriangle } from '@tabler/icons-react'
import type { RunStop } from '#contract/console/runs.ts'
import { formatSeconds } from '#domain/metricFormat.ts'
import { UNNAMED_EVENT, NOT_AN_OBJECT } from '#domain/stream/unknownEvents.ts'
import { getRecordedAnswer, isShorter } from '#domain/workflowRun/wholeText.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { runMessages } from './messages.ts'
import { isTurnOver, type Turn } from '../turn.ts'
import classes from './StreamNotes.module.css'

/** Why a stop had no effect. */
const STOP_NOTES = {
  ended: 'stopTooLate',
  paused: 'stopOfPaused',
  other_user: 'stopOfOtherUser',
  none: 'stopIgnored',
} as const

/** The anomalies of a stream that still produced an answer. Empty without anomalies. */
export function StreamNotes({ turn }: { turn: Turn }) {
  const t = useMessages(runMessages)
  const { unknown, run, text, cut = [] } = turn.answer
  const late = turn.answer.late + run.late
  const unreadable = unknown
    .filter(({ event }) => event === NOT_AN_OBJECT || event === UNNAMED_EVENT)
    .reduce((sum, { count }) => sum + count, 0)
  const { stop, frames, earlier_status } = turn
  const recorded = getRecordedAnswer(run)
  const stopNote = stop && !stop.had_effect ? getStopNote(stop) : null
  // A blocking reply has no frames; its problem reports what it lacks.
  if (frames === 0 && stopNote === null) return null
  const notes = [
    stopNote,
    ...(turn.answer.gaps ?? turn.gaps).map(({ from_ms, to_ms, after_chars }) =>
      t(after_chars === null ? 'gapClosed' : 'gap', { from: formatSeconds(from_ms), to: formatSeconds(to_ms) }),
    ),
    recorded !== null && turn.answer.replaced === null && isShorter(recorded, text)
      ? t('recordedShorter', { recorded: recorded.length, count: text.length })
      : null,
    unreadable > 0 ? t('unreadable', { count: unreadable }) : null,
    cut.length > 0 ? t('cutEvents', { count: cut.length, names: [...new Set(cut)].join(', ') }) : null,
    late > 0 ? t('late', { count: late }) : null,
    earlier_status ? t('readAgain', { status: earlier_status }) : null,
    // Invalid UTF-8 was replaced with U+FFFD, here or upstream.
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

  function getStopNote({ reason, person }: RunStop): string {
    return t(STOP_NOTES[reason ?? 'none'], { stop: person === null ? t('anyStop') : t('stopByPerson', { person }) })
  }
}
