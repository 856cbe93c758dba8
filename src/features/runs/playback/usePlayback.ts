import { useEffect, useState } from 'react'
import type { Frame } from '#contract/console/runs.ts'
import type { Turn } from '../turn.ts'
import {
  advancePlayback,
  createPlayback,
  type PlaybackState,
  type PlaybackSpeed,
  toPlaybackTurn,
} from './playbackState.ts'

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
