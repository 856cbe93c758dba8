import type { AnswerState } from '#contract/answer.ts'
import type { RunState } from '#contract/run.ts'
import type { Frame } from '#contract/runs.ts'
import { emptyTable, type FrameTable, growTable } from '../frames/table.ts'
import { answerOf, type Turn } from '../turn.ts'

/** How fast a recorded stream is played: as it came, four times as fast, or without any wait. */
export const SPEEDS = [1, 4, Infinity] as const
export type Speed = (typeof SPEEDS)[number]

/** A stream that is played. `elapsed` is milliseconds of the recording, not of the clock. */
export interface Playing {
  table: FrameTable
  elapsed: number
  speed: Speed
  isPaused: boolean
}

/** So many frames are taken in at one go: a recording of any length leaves the page its turn. */
const STEP = 2_000

export const beginning = (entry: Turn['entry'], frames: readonly Frame[], speed: Speed): Playing => ({
  table: emptyTable(entry, frames),
  elapsed: 0,
  speed,
  isPaused: false,
})

/** The recording `passed` milliseconds of the clock later; `here` frames of it can be had. */
export function advance(playing: Playing, here: number, passed: number): Playing {
  if (playing.isPaused) return playing
  const { table, speed } = playing
  const last = table.frames[here - 1]?.at ?? 0
  const elapsed = speed === Infinity ? last : playing.elapsed + passed * speed
  const due = Math.min(dueAt(table.frames, here, elapsed), table.count + STEP)
  return { ...playing, elapsed, table: growTable(table, due) }
}

/** How many of the first `here` frames had come by then. */
export function dueAt(frames: readonly Frame[], here: number, elapsed: number): number {
  let low = 0
  let high = here
  while (low < high) {
    const middle = (low + high) >> 1
    if ((frames[middle]?.at ?? Infinity) <= elapsed) low = middle + 1
    else high = middle
  }
  return low
}

/** The turn as it stood at that moment of the recording. */
export function turnAt(turn: Turn, { table }: Playing): Turn {
  const { frames, count, firstWords } = table
  return {
    ...turn,
    state: 'playing',
    answer: answerOf(table.state as AnswerState | RunState),
    problem: null,
    line: null,
    frames: count,
    first_token_ms: firstWords === null ? null : (frames[firstWords - 1]?.at ?? null),
    last_frame_ms: frames[count - 1]?.at ?? null,
    duration_ms: null,
  }
}
