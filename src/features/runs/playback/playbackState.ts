import type { AnswerState } from '#domain/answer/answerState.ts'
import { toMeasuredAnswer } from '#domain/workflowRun/runEnd.ts'
import type { RunState } from '#domain/workflowRun/runState.ts'
import type { Frame } from '#contract/console/runs.ts'
import { emptyTable, type FrameTable, growTable } from '../frames/frameTable.ts'
import { toAnswerState, type Turn } from '../turn.ts'

/** Playback speeds: original, four times as fast, or without delay. */
export const PLAYBACK_SPEEDS = [1, 4, Infinity] as const
export type PlaybackSpeed = (typeof PLAYBACK_SPEEDS)[number]

/** The state of a playback. `elapsed` is milliseconds of the recording, not of the clock. */
export interface PlaybackState {
  table: FrameTable
  elapsedMs: number
  speed: PlaybackSpeed
  isPaused: boolean
}

/** Maximum frames per step, so that a long recording does not block the page. */
const MAX_FRAMES_PER_STEP = 2_000

export const createPlayback = (
  entry: Turn['entry'],
  frames: readonly Frame[],
  speed: PlaybackSpeed,
): PlaybackState => ({
  table: emptyTable(entry, frames),
  elapsedMs: 0,
  speed,
  isPaused: false,
})

/** Advances the playback by clock time (ms), limited to the loaded frames. */
export function advancePlayback(playing: PlaybackState, availableFrames: number, passedMs: number): PlaybackState {
  if (playing.isPaused) return playing
  const { table, speed } = playing
  const last = table.frames[availableFrames - 1]?.at ?? 0
  const elapsed = speed === Infinity ? last : playing.elapsedMs + passedMs * speed
  const due = Math.min(countFramesDue(table.frames, availableFrames, elapsed), table.count + MAX_FRAMES_PER_STEP)
  return { ...playing, elapsedMs: elapsed, table: growTable(table, due) }
}

/** How many of the loaded frames had arrived by then. */
export function countFramesDue(frames: readonly Frame[], here: number, elapsed: number): number {
  let low = 0
  let high = here
  while (low < high) {
    const middle = (low + high) >> 1
    if ((frames[middle]?.at ?? Infinity) <= elapsed) low = middle + 1
    else high = middle
  }
  return low
}

/** The turn at that moment of the recording. */
export function toPlaybackTurn(turn: Turn, { table, elapsedMs }: PlaybackState): Turn {
  const answer = toAnswerState(table.state as AnswerState | RunState)
  return {
    ...turn,
    state: 'playing',
    answer: toMeasuredAnswer(answer, turn.state === 'stopped'),
    problem: null,
    connection: null,
    frames: table.count,
    ...table.times,
    duration_ms: null,
    played_ms: elapsedMs,
  }
}
