import { describe, expect, it } from 'vitest'
import { answerStreams } from '#domain/answer/answerStreams.testing.ts'
import { emptyAnswer } from '#domain/answer/answerState.ts'
import { foldAnswer } from '#domain/answer/foldAnswer.ts'
import { parseBlockEvent } from '#domain/stream/sseBlock.ts'
import { emptyRun } from '#domain/workflowRun/runState.ts'
import { foldRun } from '#domain/workflowRun/workflowEvents.ts'
import { runStreams } from '#domain/workflowRun/runStreams.testing.ts'
import { EventSplitter } from './eventSplitter.ts'

type Fold = { empty: unknown; fold: (state: unknown, event: unknown) => unknown }
const answers = { empty: emptyAnswer, fold: foldAnswer } as Fold
const flows = { empty: emptyRun, fold: foldRun } as Fold
const recorded: [string, Fold, unknown[]][] = [
  ...Object.entries(answerStreams).map(([name, events]): [string, Fold, unknown[]] => [name, answers, events]),
  ...Object.entries(runStreams).map(([name, events]): [string, Fold, unknown[]] => [`workflow ${name}`, flows, events]),
]
const LF = '\n'
const toWireBytes = (events: unknown[], end = LF): Buffer =>
  Buffer.from(events.map((event) => `data: ${JSON.stringify(event)}${end}${end}`).join(''))
const splitBlocks = (parts: Buffer[]): string[] => {
  const splitter = new EventSplitter()
  const blocks = parts.flatMap((part) => [...splitter.push(part)])
  const last = splitter.end()
  return [...blocks, ...(last ? [last] : [])].map(({ text }) => text)
}
const foldBlocks = ({ empty, fold }: Fold, blocks: string[]): unknown =>
  blocks.map(parseBlockEvent).reduce((state, event) => (event === undefined ? state : fold(state, event)), empty)

describe.each(recorded)('the recorded stream %s', (_, its, events) => {
  it('that breaks off at any byte is the events that had come whole, and the rest of the last one as it came', () => {
    const bytes = toWireBytes(events)
    const lines = events.map((event) => `data: ${JSON.stringify(event)}`)
    const ends = lines.reduce<number[]>((all, line) => [...all, (all.at(-1) ?? 0) + Buffer.byteLength(line) + 2], [])
    const states = events.reduce<unknown[]>((all, event) => [...all, its.fold(all.at(-1), event)], [its.empty])
    const json = states.map((state) => JSON.stringify(state))
    for (let cut = 0; cut <= bytes.length; cut++) {
      // An event is whole when its line is; the empty line behind it only ends its block.
      const whole = ends.filter((end) => end - 2 <= cut).length
      const blocks = splitBlocks([bytes.subarray(0, cut)])
      if (blocks.slice(0, whole).join() !== lines.slice(0, whole).join()) expect(`cut at ${cut}`).toBe('whole')
      const tail = bytes.subarray(ends[whole - 1] ?? 0, cut).toString()
      expect(blocks.slice(whole)).toEqual(tail.trim() === '' || whole === lines.length ? [] : [tail])
      expect(JSON.stringify(foldBlocks(its, blocks.slice(0, whole)))).toBe(json[whole])
    }
  })
})
