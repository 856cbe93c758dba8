import { Button, Group } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { formatCount, formatSeconds } from '#domain/metricFormat.ts'
import type { Frame } from '#contract/console/runs.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { isTurnOver, type Turn } from '../turn.ts'
import { playbackMessages } from './messages.ts'
import classes from './Playback.module.css'
import {
  advancePlayback,
  createPlayback,
  PLAYBACK_SPEEDS,
  type PlaybackSpeed,
  type PlaybackState,
  toPlaybackTurn,
} from './playbackState.ts'

/** Plays a recorded stream at its original speed, four times as fast, or instantly. Nothing without frames. */
export function PlaybackBar({ turn, playback }: { turn: Turn; playback: Playback }) {
  const t = useMessages(playbackMessages)
  const { state, play, pause, stop } = playback
  if (!isTurnOver(turn) || turn.frames === 0) return null
  const end = turn.duration_ms ?? turn.last_frame_ms
  return (
    <Group className={classes.bar} gap="xs" mb="sm" fz="sm" c="dimmed" role="group" aria-label={t('title')}>
      <span>{t('title')}</span>
      {PLAYBACK_SPEEDS.map((speed) => (
        <Button
          key={speed}
          size="compact-xs"
          variant="default"
          aria-pressed={state?.speed === speed}
          onClick={() => play(speed)}
        >
          {speed === Infinity ? t('atOnce') : t('times', { speed })}
        </Button>
      ))}
      {state ? (
        <>
          <Button
            size="compact-xs"
            variant="default"
            leftSection={state.isPaused ? <IconPlayerPlay size={13} /> : <IconPlayerPause size={13} />}
            onClick={() => pause(!state.isPaused)}
          >
            {t(state.isPaused ? 'resume' : 'pause')}
          </Button>
          <Button size="compact-xs" variant="default" leftSection={<IconPlayerStop size={13} />} onClick={stop}>
            {t('stop')}
          </Button>
          <span>
            {t('at', {
              frame: formatCount(state.table.count),
              frames: formatCount(turn.frames),
              seconds: formatSeconds(state.elapsedMs),
              end: end === null ? '–' : formatSeconds(end),
            })}
          </span>
        </>
      ) : null}
    </Group>
  )
}

export interface Playback {
  /** Null without a playback: the final turn is shown. */
  state: PlaybackState | null
  /** The turn to show. */
  shownTurn: Turn
  play: (speed: PlaybackSpeed) => void
  pause: (isPaused: boolean) => void
  stop: () => void
}

/** Plays the frames of a finished turn; more frames may load during playback. */
export function usePlayback(turn: Turn, frames: readonly Frame[], availableFrames: number): Playback {
  const [playing, setPlaying] = useState<PlaybackState | null>(null)
  const isRunning = playing !== null && !playing.isPaused
  useEffect(() => {
    if (!isRunning) return
    let before = performance.now()
    let next = requestAnimationFrame(function tick(now) {
      const passed = Math.max(0, now - before)
      before = now
      setPlaying((was) => {
        if (!was) return null
        // The frames may have been reloaded since it started.
        const whole = was.table.frames === frames ? was : { ...was, table: createPlayback(turn.entry, frames, 1).table }
        const is = advancePlayback(whole, availableFrames, passed)
        return is.table.count >= turn.frames ? null : is
      })
      next = requestAnimationFrame(tick)
    })
    return () => cancelAnimationFrame(next)
  }, [isRunning, frames, availableFrames, turn.entry, turn.frames])
  return {
    state: playing,
    shownTurn: playing ? toPlaybackTurn(turn, playing) : turn,
    play: (speed) => setPlaying((was) => (was ? { ...was, speed } : createPlayback(turn.entry, frames, speed))),
    pause: (isPaused) => setPlaying((was) => was && { ...was, isPaused }),
    stop: () => setPlaying(null),
  }
}
