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
  const blocks = parts.flatMap((part) => splitter.push(part))
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

  it('is the same wherever one packet ends and the next begins, with any line ends', () => {
    for (const end of ['\n', '\r\n', '\r']) {
      const bytes = toWireBytes(events, end)
      const whole = splitBlocks([bytes])
      for (let cut = 0; cut <= bytes.length; cut++) {
        const blocks = splitBlocks([bytes.subarray(0, cut), bytes.subarray(cut)])
        if (blocks.length !== whole.length || blocks.some((one, index) => one !== whole[index]))
          expect([JSON.stringify(end), cut, blocks]).toEqual([JSON.stringify(end), cut, whole])
      }
    }
  })
})

it('letters of two, three and four bytes are whole however two cuts fall, and byte by byte', () => {
  const text = `data: ${JSON.stringify({ event: 'message', answer: 'é校准😀👩‍👩‍👧 مرحبا \u2028' })}`
  const bytes = Buffer.from(`\uFEFF${text}\r\n\r\n: ping\r\r`)
  const whole = [text, ': ping']
  for (let one = 0; one <= bytes.length; one++)
    for (let two = one; two <= bytes.length; two++) {
      const blocks = splitBlocks([bytes.subarray(0, one), bytes.subarray(one, two), bytes.subarray(two)])
      if (blocks.join('|') !== whole.join('|')) expect([one, two, blocks]).toEqual([one, two, whole])
    }
  expect(splitBlocks([...bytes].map((byte) => Buffer.from([byte])))).toEqual(whole)
})
