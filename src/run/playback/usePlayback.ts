import { useEffect, useState } from 'react'
import type { Frame } from '#contract/runs.ts'
import type { Turn } from '../turn.ts'
import { advance, beginning, type Playing, type Speed, turnAt } from './playing.ts'

export interface Playback {
  /** Null while nothing is played: the turn is shown as it ended. */
  playing: Playing | null
  /** The turn as it is to be shown. */
  shown: Turn
  play: (speed: Speed) => void
  pause: (isPaused: boolean) => void
  stop: () => void
}

/** Plays the frames of a turn that is over: `here` of them can be had, and more may come while it plays. */
export function usePlayback(turn: Turn, frames: readonly Frame[], here: number): Playback {
  const [playing, setPlaying] = useState<Playing | null>(null)
  const isRunning = playing !== null && !playing.isPaused
  useEffect(() => {
    if (!isRunning) return
    let before = performance.now()
    let next = requestAnimationFrame(function tick(now) {
      const passed = Math.max(0, now - before)
      before = now
      setPlaying((was) => {
        if (!was) return null
        // The frames may have been read since it began.
        const whole = was.table.frames === frames ? was : { ...was, table: beginning(turn.entry, frames, 1).table }
        const is = advance(whole, here, passed)
        return is.table.count >= turn.frames ? null : is
      })
      next = requestAnimationFrame(tick)
    })
    return () => cancelAnimationFrame(next)
  }, [isRunning, frames, here, turn.entry, turn.frames])
  return {
    playing,
    shown: playing ? turnAt(turn, playing) : turn,
    play: (speed) => setPlaying((was) => (was ? { ...was, speed } : beginning(turn.entry, frames, speed))),
    pause: (isPaused) => setPlaying((was) => was && { ...was, isPaused }),
    stop: () => setPlaying(null),
  }
}
