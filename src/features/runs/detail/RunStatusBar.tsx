import { Button } from '@mantine/core'
import { IconArrowBackUp, IconEye, IconEyeOff, IconRefresh, IconRotateClockwise } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import { RequestId } from '../../../components/layout/ProblemAlert.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useLiveTransport } from '../../../client/live/useLiveTransport.ts'
import { runStore } from '../../../client/useRun.ts'
import { formatSeconds } from '#domain/metricFormat.ts'
import { SILENCE_TIMEOUT_MS, STREAM_HEADERS_TIMEOUT_MS } from '#domain/streamTimeouts.ts'
import { runMessages } from './messages.ts'
import classes from './RunStatusBar.module.css'
import { mayBeCut, type Turn } from '../turn.ts'
import { StreamNotes } from './StreamNotes.tsx'
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
  /** Stops the run, if the platform supports it (`StopRun`). */
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
  // Older rows have it only where the platform was asked for the end.
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
      {actions ? <span className={classes.actions}>{actions}</span> : null}
    </div>
  )
}
