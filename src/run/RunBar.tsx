import { Button } from '@mantine/core'
import { IconArrowBackUp, IconEye, IconEyeOff, IconRefresh, IconRotateClockwise } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { StateBadge } from '../ui/StateBadge.tsx'
import { useWords } from '../ui/words.ts'
import { runs } from '../wire/useRun.ts'
import { seconds } from './figures.ts'
import { runWords } from './messages.ts'
import classes from './RunBar.module.css'
import type { Turn } from './turn.ts'
import { TurnNotes } from './TurnNotes.tsx'
import { useNow } from './useNow.ts'

/** A silence in a stream that is worth a word, in milliseconds. */
const QUIET = 10_000
/** After this long a blocking call is near the 100 s at which a gateway may cut it. */
const BLOCKING_WARNING = 80_000

export interface RunBarProps {
  turn: Turn
  /** Null for somebody who may not ask. */
  onSendAgain: (() => void) | null
  /** Puts the question back into the field; for one that was never sent. */
  onGiveUp: () => void
  /** Stops the run itself, where the platform can (`StopRun`). */
  stop?: ReactNode
}

/**
 * How a run stands, over its answer, with what one can do about it, and what was odd about it. Nothing over an answer that
 * succeeded without a fault.
 */
export function RunBar(props: RunBarProps) {
  return (
    <>
      <Standing {...props} />
      <TurnNotes turn={props.turn} />
    </>
  )
}

function Standing({ turn, onSendAgain, onGiveUp, stop }: RunBarProps) {
  const t = useWords(runWords)
  const { run_id, state, frames, line, problem } = turn
  const sendAgain = onSendAgain ? (
    <Button variant="default" data-once leftSection={<IconRotateClockwise size={14} />} onClick={onSendAgain}>
      {t('sendAgain')}
    </Button>
  ) : null
  const figures = { ...TAGS, frame: frames }
  switch (state) {
    case 'created':
    case 'dispatched':
    case 'sending':
    case 'streaming':
      return <Underway turn={turn} stop={stop} />
    case 'away':
      return (
        <Bar
          word="not watching"
          actions={
            <>
              <Button variant="default" leftSection={<IconEye size={14} />} onClick={() => runs.watchAgain(run_id)}>
                {t('watchAgain')}
              </Button>
              {stop}
            </>
          }
        >
          {t.rich('away', figures)}
        </Bar>
      )
    case 'interrupted':
      if (turn.answer.run.paused)
        return (
          <Bar word="paused" actions={sendAgain}>
            {t('paused')}
          </Bar>
        )
      return (
        <Bar word="interrupted" tone="interrupted" actions={sendAgain}>
          {problem
            ? t.rich(frames === 0 ? 'interruptedEmptyBecause' : 'interruptedBecause', {
                ...figures,
                reason: problem.message,
              })
            : t.rich(frames === 0 ? 'interruptedEmpty' : 'interrupted', { ...figures, event: END_OF[turn.entry] })}
        </Bar>
      )
    case 'unknown':
      return (
        <Bar word="unknown" tone="unknown" actions={sendAgain}>
          {problem
            ? t('unknownBecause', { reason: problem.message })
            : t(turn.answer.run.told ? 'unknownTold' : 'unknown', { status: turn.answer.run.status ?? t('notGiven') })}
        </Bar>
      )
    case 'stopped':
      return (
        <Bar word="stopped" actions={sendAgain}>
          {t('stopped')}
        </Bar>
      )
    case 'unsent':
      return (
        <Bar
          word="not sent"
          tone="interrupted"
          actions={
            <>
              <Button variant="subtle" color="gray" leftSection={<IconArrowBackUp size={14} />} onClick={onGiveUp}>
                {t('giveUp')}
              </Button>
              <Button
                variant="default"
                data-once
                leftSection={<IconRotateClockwise size={14} />}
                onClick={() => runs.sendAgain(run_id)}
              >
                {t('sendAgain')}
              </Button>
            </>
          }
        >
          {t('unsent')}
        </Bar>
      )
    default:
      return line?.state === 'reconnecting' ? <Underway turn={turn} stop={stop} /> : null
  }
}

/** The event that was to end the stream. */
const END_OF = {
  'chat.send': 'message_end',
  'completion.send': 'message_end',
  'workflows.run': 'workflow_finished',
} as const satisfies Record<Turn['entry'], string>

const TAGS = {
  b: (words: ReactNode) => <b>{words}</b>,
  code: (words: ReactNode) => <code>{words}</code>,
}

/** A run that goes on: how this browser's line to it stands. */
function Underway({ turn, stop }: { turn: Turn; stop: ReactNode }) {
  const t = useWords(runWords)
  const { run_id, line, frames, last_frame_ms, question, sent_at } = turn
  const now = useNow(true)
  const watching = (
    <>
      <Button variant="default" leftSection={<IconEyeOff size={14} />} onClick={() => runs.stopWatching(run_id)}>
        {t('stopWatching')}
      </Button>
      {stop}
    </>
  )
  if (line?.state === 'reconnecting') {
    const wait = line.retry_at === null ? null : Math.max(0, Math.ceil((line.retry_at - now) / 1000))
    const figures = { ...TAGS, frame: frames, attempt: line.attempt }
    return (
      <Bar
        word="reconnecting"
        tone="reconnecting"
        actions={
          <Button variant="default" leftSection={<IconRefresh size={14} />} onClick={() => runs.tryNow(run_id)}>
            {t('tryNow')}
          </Button>
        }
      >
        {wait === null
          ? t.rich(frames === 0 ? 'doubting' : 'trying', figures)
          : t.rich(frames === 0 ? 'doubt' : 'lost', { ...figures, seconds: wait })}
      </Bar>
    )
  }
  if (line?.state === 'catching_up')
    return (
      <Bar word="catching up" tone="live" actions={watching}>
        {t.rich('catchingUp', { ...TAGS, frame: frames })}
      </Bar>
    )
  if (line?.state === 'connecting')
    return (
      <Bar word="connecting" tone="live">
        {t('connecting')}
      </Bar>
    )
  if (question.response_mode === 'blocking') {
    const waited = Math.max(0, now - sent_at)
    const words = waited < BLOCKING_WARNING ? 'blocking' : 'blockingLate'
    return (
      <Bar word="waiting" tone="live" actions={watching}>
        {t.rich(words, { ...TAGS, seconds: Math.floor(waited / 1000) })}
      </Bar>
    )
  }
  if (line?.state === 'sending')
    return (
      <Bar word="sending" tone="live">
        {t('sending')}
      </Bar>
    )
  const silence = now - sent_at - (last_frame_ms ?? 0)
  const figures = {
    ...TAGS,
    frame: frames,
    seconds: seconds(last_frame_ms ?? 0),
    silence: Math.floor(silence / 1000),
  }
  const words = frames === 0 ? (silence < QUIET ? 'waiting' : 'waitingLong') : silence < QUIET ? 'live' : 'quiet'
  return (
    <Bar word="live" tone="live" actions={watching}>
      {t.rich(words, figures)}
    </Bar>
  )
}

interface BarProps {
  word: string
  tone?: 'live' | 'reconnecting' | 'interrupted' | 'unknown'
  actions?: ReactNode
  children: ReactNode
}

function Bar({ word, tone, actions, children }: BarProps) {
  return (
    <div className={classes.bar} data-tone={tone} role="status">
      <StateBadge word={word} />
      {/* Counters run in here: only the word of the state is announced when it changes. */}
      <span className={classes.words} aria-live="off">
        {children}
      </span>
      {actions ? <span className={classes.actions}>{actions}</span> : null}
    </div>
  )
}
