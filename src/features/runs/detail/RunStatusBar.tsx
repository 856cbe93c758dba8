import { Button, Flex, Group, VisuallyHidden } from '@mantine/core'
import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconEye,
  IconEyeOff,
  IconRefresh,
  IconRotateClockwise,
} from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { isSuccessStatus, type RunStop } from '#contract/console/runs.ts'
import { truncateText } from '#contract/truncatedText.ts'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import { RequestId } from '../../../components/layout/ProblemAlert.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useLiveTransport } from '../../../client/live/useLiveTransport.ts'
import { runStore } from '../../../client/useRun.ts'
import { formatSeconds } from '#domain/metricFormat.ts'
import { NOT_AN_OBJECT, UNNAMED_EVENT } from '#domain/stream/unknownEvents.ts'
import { SILENCE_TIMEOUT_MS, STREAM_HEADERS_TIMEOUT_MS } from '#domain/streamTimeouts.ts'
import { getRecordedAnswer, isShorter } from '#domain/workflowRun/wholeText.ts'
import { runMessages } from './messages.ts'
import classes from './RunStatusBar.module.css'
import { isTurnOver, mayBeCut, type Turn } from '../turn.ts'
import { useNow } from '../../../components/hooks/useNow.ts'

/** A longer silence in a stream is shown with its clock (ms). */
const SILENCE_NOTE_MS = 3_000
/** A blocking call longer than this is near the gateway timeout of 100 s (ms). */
const BLOCKING_WARNING_MS = 80_000

export interface RunStatusBarProps {
  turn: Turn
  /** Null without permission to send. */
  onResend: (() => void) | null
  /** Puts the question back into the composer; for one that was never sent. */
  onEdit: () => void
  /** Stops the run, if the platform supports it. */
  stopButton?: ReactNode
}

/**
 * The status of a run above its answer, with its actions and anomalies. Empty for an answer that succeeded without
 * anomalies.
 */
export function RunStatusBar(props: RunStatusBarProps) {
  return (
    <>
      <RunStatus {...props} />
      <StreamNotes turn={props.turn} />
    </>
  )
}

function RunStatus({ turn, onResend, onEdit, stopButton }: RunStatusBarProps) {
  const t = useMessages(runMessages)
  const { run_id, state, frames, problem, answer } = turn
  // Older rows have it only if the platform was asked for the end.
  const reason = problem?.message ?? answer.run.told?.because
  const sendAgain = onResend ? (
    <Button variant="default" data-once leftSection={<IconRotateClockwise size={14} />} onClick={onResend}>
      {t('sendAgain')}
    </Button>
  ) : null
  const values = { ...RICH_TEXT_TAGS, frame: frames }
  switch (state) {
    case 'created':
    case 'dispatched':
    case 'sending':
    case 'streaming':
      return <ActiveRunStatus turn={turn} stop={stopButton} />
    case 'away':
      return (
        <StatusBar
          status="not watching"
          actions={
            <>
              <Button
                variant="default"
                leftSection={<IconEye size={14} />}
                onClick={() => runStore.resumeWatching(run_id)}
              >
                {t('watchAgain')}
              </Button>
              {stopButton}
            </>
          }
        >
          {t.rich('away', values)}
        </StatusBar>
      )
    case 'paused':
      return (
        <StatusBar status="paused" actions={sendAgain}>
          {t('paused')}
        </StatusBar>
      )
    case 'interrupted':
      return (
        <StatusBar status="interrupted" tone="interrupted" actions={sendAgain}>
          {reason
            ? t.rich(frames === 0 ? 'interruptedEmptyBecause' : 'interruptedBecause', { ...values, reason })
            : t.rich(frames === 0 ? 'interruptedEmpty' : 'interrupted', {
                ...values,
                event: FINAL_EVENT_BY_ENTRY[turn.entry],
              })}
          <RequestId problem={problem} />
        </StatusBar>
      )
    case 'unknown':
      return (
        <StatusBar status="unknown" tone="unknown" actions={sendAgain}>
          {problem
            ? t('unknownBecause', { reason: problem.message })
            : t(answer.run.told ? 'unknownReported' : 'unknown', { status: answer.run.status ?? t('notGiven') })}
        </StatusBar>
      )
    case 'stopped':
      return (
        <StatusBar status="stopped" actions={sendAgain}>
          {turn.stop?.had_effect ? (
            t.rich(turn.stop.person === null ? 'stoppedAfter' : 'stoppedBy', {
              ...values,
              frame: turn.stop.after_frame,
              person: turn.stop.person ?? '',
              rest: t(mayBeCut(turn) ? 'mayBeCut' : 'whatCame'),
            })
          ) : (
            <EarlyEnd turn={turn} />
          )}
        </StatusBar>
      )
    case 'unsent':
      return (
        <StatusBar
          status="not sent"
          tone="interrupted"
          actions={
            <>
              <Button variant="subtle" color="gray" leftSection={<IconArrowBackUp size={14} />} onClick={onEdit}>
                {t('giveUp')}
              </Button>
              <Button
                variant="default"
                data-once
                leftSection={<IconRotateClockwise size={14} />}
                onClick={() => runStore.resend(run_id)}
              >
                {t('sendAgain')}
              </Button>
            </>
          }
        >
          {t('unsent')}
        </StatusBar>
      )
    case 'succeeded':
      return turn.endMark === null ? null : (
        <StatusBar status={state} actions={sendAgain}>
          <EarlyEnd turn={turn} />
        </StatusBar>
      )
    default:
      return null
  }
}

/** Why a run ended early without a stop of this console, with the platform's own words. */
function EarlyEnd({ turn: { endMark, answer } }: { turn: Turn }) {
  const t = useMessages(runMessages)
  const { error } = answer.run
  return (
    <>
      {t(endMark ? `ends.${endMark.cause}` : 'stopped')}{' '}
      {error ? <q title={endMark ? t('knownSince', { since: endMark.since }) : undefined}>{error}</q> : null}
    </>
  )
}

/** The expected final event of the stream. */
const FINAL_EVENT_BY_ENTRY = {
  'chat.send': 'message_end',
  'completion.send': 'message_end',
  'workflows.run': 'workflow_finished',
} as const satisfies Record<Turn['entry'], string>

const RICH_TEXT_TAGS = {
  b: (words: ReactNode) => <b>{words}</b>,
  code: (words: ReactNode) => <code>{words}</code>,
}

/** An active run: the state of this browser's connection to it. */
function ActiveRunStatus({ turn, stop }: { turn: Turn; stop: ReactNode }) {
  const t = useMessages(runMessages)
  const { run_id, connection, frames, last_frame_ms, question, sent_at, last_frame_at } = turn
  const now = useNow(true)
  const transport = useLiveTransport()
  const watching = (
    <>
      <Button variant="default" leftSection={<IconEyeOff size={14} />} onClick={() => runStore.stopWatching(run_id)}>
        {t('stopWatching')}
      </Button>
      {stop}
    </>
  )
  if (connection?.state === 'reconnecting') {
    const wait = connection.retry_at === null ? null : Math.max(0, Math.ceil((connection.retry_at - now) / 1000))
    const values = { ...RICH_TEXT_TAGS, frame: frames, attempt: connection.attempt }
    return (
      <StatusBar
        status="reconnecting"
        tone="reconnecting"
        // The others keep their places: a click at the moment of the reconnection stops nothing.
        actions={
          <>
            <Button variant="default" leftSection={<IconRefresh size={14} />} onClick={() => runStore.retryNow(run_id)}>
              {t('tryNow')}
            </Button>
            {watching}
          </>
        }
      >
        {wait === null
          ? t.rich(frames === 0 ? 'unconfirmedChecking' : 'trying', values)
          : t.rich(frames === 0 ? 'unconfirmed' : 'lost', { ...values, seconds: wait })}
      </StatusBar>
    )
  }
  if (connection?.state === 'catching_up')
    return (
      <StatusBar status="catching up" tone="live" actions={watching}>
        {t.rich('catchingUp', { ...RICH_TEXT_TAGS, frame: frames })}
      </StatusBar>
    )
  if (connection?.state === 'server_silent')
    return (
      <StatusBar status="server not responding" tone="reconnecting" actions={watching}>
        {t.rich('serverSilent', { ...RICH_TEXT_TAGS, frame: frames })}
      </StatusBar>
    )
  if (connection?.state === 'connecting')
    return (
      <StatusBar status="connecting" tone="live">
        {t('connecting')}
      </StatusBar>
    )
  if (question.response_mode === 'blocking') {
    const waited = Math.max(0, now - sent_at)
    const messageKey = waited < BLOCKING_WARNING_MS ? 'blocking' : 'blockingLate'
    return (
      <StatusBar status="waiting" tone="live" actions={watching}>
        {t.rich(messageKey, { ...RICH_TEXT_TAGS, seconds: Math.floor(waited / 1000) })}
      </StatusBar>
    )
  }
  if (connection?.state === 'sending')
    return (
      <StatusBar status="sending" tone="live">
        {t('sending')}
      </StatusBar>
    )
  const silence = now - (last_frame_at ?? sent_at)
  const values = {
    ...RICH_TEXT_TAGS,
    frame: frames,
    seconds: formatSeconds(last_frame_ms ?? 0),
    silence: Math.floor(silence / 1000),
    headers: STREAM_HEADERS_TIMEOUT_MS / 1000,
    limit: SILENCE_TIMEOUT_MS / 1000,
  }
  const isSilent = silence >= SILENCE_NOTE_MS
  const messageKey = frames === 0 ? (isSilent ? 'waitingLong' : 'waiting') : isSilent ? 'quiet' : 'live'
  return (
    <StatusBar status="live" tone="live" actions={watching}>
      {t.rich(messageKey, values)}
      {transport === 'event_stream' ? ` ${t('overEventStream')}` : null}
    </StatusBar>
  )
}

interface StatusBarProps {
  status: string
  tone?: 'live' | 'reconnecting' | 'interrupted' | 'unknown'
  actions?: ReactNode
  children: ReactNode
}

function StatusBar({ status, tone, actions, children }: StatusBarProps) {
  return (
    <div className={classes.bar} data-tone={tone} role="status">
      <StatusBadge status={status} />
      {/* The counters change constantly: announce only changes of the status text. */}
      <div className={classes.words} aria-live="off">
        {children}
      </div>
      {actions ? (
        <Group gap="xs" ml="auto">
          {actions}
        </Group>
      ) : null}
    </div>
  )
}

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
    <Flex component="ul" direction="column" gap={4} fz="sm" c="dimmed" aria-label={t('oddities')}>
      {notes.map((note) => (
        <li key={note} className={classes.note}>
          <IconAlertTriangle size={13} aria-hidden="true" />
          {note}
        </li>
      ))}
    </Flex>
  )

  function getStopNote({ reason, person }: RunStop): string {
    return t(STOP_NOTES[reason ?? 'none'], { stop: person === null ? t('anyStop') : t('stopByPerson', { person }) })
  }
}

/** Maximum characters of an answer announced to a screen reader. */
const MAX_ANNOUNCED_CHARS = 2_000

/** Announces an answer once, when it is complete; one that was complete on page load is not announced. */
export function TurnAnnouncement({ turn }: { turn: Turn }) {
  const t = useMessages(runMessages)
  const over = isTurnOver(turn)
  const [wasOver] = useState(over)
  if (wasOver) return null
  const announcement = isSuccessStatus(turn.state)
    ? t(mayBeCut(turn) ? 'answeredUnmeasured' : 'answered', {
        text: truncateText(turn.answer.text, MAX_ANNOUNCED_CHARS),
      })
    : turn.state === 'paused'
      ? t('pausedNow')
      : t('ended', { state: turn.state === 'unsent' ? 'not sent' : turn.state })
  return (
    <VisuallyHidden role="status" aria-live="polite">
      {over ? announcement : ''}
    </VisuallyHidden>
  )
}
