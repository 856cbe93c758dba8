import { Button } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react'
import { useWords } from '../../ui/words.ts'
import { count, seconds } from '../figures.ts'
import { isOver, type Turn } from '../turn.ts'
import { playbackWords } from './messages.ts'
import classes from './Playback.module.css'
import { SPEEDS } from './playing.ts'
import type { Playback } from './usePlayback.ts'

/** Has a recorded stream played again, at its own speed, four times as fast or at once. Nothing where there are no frames. */
export function PlaybackBar({ turn, playback }: { turn: Turn; playback: Playback }) {
  const t = useWords(playbackWords)
  const { playing, play, pause, stop } = playback
  if (!isOver(turn) || turn.frames === 0) return null
  const end = turn.duration_ms ?? turn.last_frame_ms
  return (
    <div className={classes.bar} role="group" aria-label={t('title')}>
      <span>{t('title')}</span>
      {SPEEDS.map((speed) => (
        <Button
          key={speed}
          size="compact-xs"
          variant="default"
          aria-pressed={playing?.speed === speed}
          onClick={() => play(speed)}
        >
          {speed === Infinity ? t('atOnce') : t('times', { speed })}
        </Button>
      ))}
      {playing ? (
        <>
          <Button
            size="compact-xs"
            variant="default"
            leftSection={playing.isPaused ? <IconPlayerPlay size={13} /> : <IconPlayerPause size={13} />}
            onClick={() => pause(!playing.isPaused)}
          >
            {t(playing.isPaused ? 'goOn' : 'pause')}
          </Button>
          <Button size="compact-xs" variant="default" leftSection={<IconPlayerStop size={13} />} onClick={stop}>
            {t('stop')}
          </Button>
          <span className={classes.figures}>
            {t('at', {
              frame: count(playing.table.count),
              frames: count(turn.frames),
              seconds: seconds(playing.elapsed),
              end: end === null ? '–' : seconds(end),
            })}
          </span>
        </>
      ) : null}
    </div>
  )
}
