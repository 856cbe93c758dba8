import { eventOf } from '#contract/frame.ts'
import { contract } from '#contract/index.ts'
import type { CallRow } from '../ledger/call.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { type FoldState, hasText } from './outcome.ts'

const PAGE = 5000
const PAGE_BYTES = 8 * 1024 * 1024

/** Folds a run anew from its frames in the table. */
export async function refold(row: CallRow, ledger: Ledger) {
  const { initial, fold } = eventsOf(row)
  let state: FoldState = initial
  let frames = 0
  let bytes = 0
  let last = 0
  let firstFrame: number | null = null
  let firstToken: number | null = null
  for (;;) {
    const page = await ledger.frames(row.id, frames, PAGE, PAGE_BYTES)
    for (const frame of page) {
      const event = eventOf(frame.block)
      if (event !== undefined) state = fold(state, event)
      frames = frame.seq
      bytes += frame.bytes
      last = frame.at
      firstFrame ??= frame.at
      if (firstToken === null && hasText(state)) firstToken = frame.at
    }
    if (page.length === 0) return { state, frames, bytes, last, firstFrame, firstToken }
  }
}

function eventsOf(row: CallRow): { initial: FoldState; fold: (state: FoldState, event: unknown) => FoldState } {
  const entry =
    row.entry === 'workflows.run'
      ? contract.workflows.run
      : row.entry === 'chat.send'
        ? contract.chat.send
        : contract.completion.send
  return entry.events as never
}
