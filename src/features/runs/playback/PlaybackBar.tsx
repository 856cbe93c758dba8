import { Button } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { formatCount, formatSeconds } from '#domain/metricFormat.ts'
import { isTurnOver, type Turn } from '../turn.ts'
import { playbackMessages } from './messages.ts'
import classes from './Playback.module.css'
import { PLAYBACK_SPEEDS } from './playbackState.ts'
import type { Playback } from './usePlayback.ts'

/** Plays a recorded stream at its original speed, four times as fast, or instantly. Nothing without frames. */
export function PlaybackBar({ turn, playback }: { turn: Turn; playback: Playback }) {
  const t = useMessages(playbackMessages)
  const { state, play, pause, stop } = playback
  if (!isTurnOver(turn) || turn.frames === 0) return null
  const end = turn.duration_ms ?? turn.last_frame_ms
  return (
    <div className={classes.bar} role="group" aria-label={t('title')}>
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
          <span className={classes.figures}>
            {t('at', {
              frame: formatCount(state.table.count),
              frames: formatCount(turn.frames),
              seconds: formatSeconds(state.elapsedMs),
              end: end === null ? '–' : formatSeconds(end),
            })}
          </span>
        </>
      ) : null}
    </div>
  )
}
