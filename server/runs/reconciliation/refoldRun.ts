import { parseBlockEvent } from '#domain/stream/sseBlock.ts'
import { setGapBefore } from '#domain/stream/streamGap.ts'
import { addFrameTime, NO_FRAME_TIMES } from '#domain/stream/streamTimes.ts'
import { getEntryFold } from '#domain/stream/eventFolds.ts'
import type { CallRow } from '../../ledger/callRow.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { type FoldState, type GeneratingEntry, hasText } from '../../ledger/runStatus.ts'

const PAGE_FRAMES = 5000
const PAGE_BYTES = 8 * 1024 * 1024

export async function refoldRun(row: CallRow, ledger: Ledger) {
  const { initial, fold } = getEntryFold(row.entry as GeneratingEntry)
  let state: FoldState = initial
  let frames = 0
  let bytes = 0
  let times = NO_FRAME_TIMES
  for await (const page of ledger.readFramePages(row.id, PAGE_FRAMES, PAGE_BYTES))
    for (const frame of page) {
      const event = parseBlockEvent(frame.block)
      // Earlier releases stored gaps only with the run.
      const gap = row.gaps?.find(({ after_frame }) => after_frame === frame.seq - 1)
      setGapBefore(event, gap)
      if (event !== undefined) state = fold(state, event)
      frames = frame.seq
      bytes += frame.bytes
      times = addFrameTime(times, frame.at, hasText(state))
    }
  return { state, frames, bytes, times }
}
