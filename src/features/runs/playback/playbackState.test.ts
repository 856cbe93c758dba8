import fc from 'fast-check'
import { expect, test } from 'vitest'
import { emptyAnswer } from '#domain/answer/answerState.ts'
import { foldAnswer } from '#domain/answer/foldAnswer.ts'
import { parseBlockEvent } from '#domain/stream/sseBlock.ts'
import type { Frame } from '#contract/console/runs.ts'
import { sampleTurn } from '../turn.testing.ts'
import { advancePlayback, createPlayback, countFramesDue, type PlaybackSpeed, toPlaybackTurn } from './playbackState.ts'

const words = ['The ', 'lamp ', 'is ', '黑曜石', '.']
const frames: Frame[] = words.map((answer, index) => {
  const block = `data: ${JSON.stringify({ event: 'message', message_id: 'm', answer })}`
  return { seq: index + 1, at: 100 * (index + 1), bytes: block.length, block }
})
const turn = sampleTurn({ entry: 'chat.send', frames: frames.length, state: 'succeeded' })
const textAt = (speed: PlaybackSpeed, passed: number) =>
  toPlaybackTurn(turn, advancePlayback(createPlayback('chat.send', frames, speed), frames.length, passed)).answer.text

test('words come when their frames came, four times as soon, or all at once', () => {
  expect([textAt(1, 99), textAt(1, 100), textAt(1, 250)]).toEqual(['', 'The ', 'The lamp '])
  expect([textAt(4, 25), textAt(4, 100)]).toEqual(['The ', 'The lamp is 黑曜石'])
  expect(textAt(Infinity, 0)).toBe(words.join(''))
})

test('a pause holds the recording, and it goes on from where it stood', () => {
  const at = advancePlayback(createPlayback('chat.send', frames, 1), frames.length, 150)
  const held = advancePlayback({ ...at, isPaused: true }, frames.length, 10_000)
  expect(held.table.count).toBe(1)
  expect(advancePlayback({ ...held, isPaused: false }, frames.length, 50).table.count).toBe(2)
})

test('frames that are not here yet are waited for', () => {
  const first = advancePlayback(createPlayback('chat.send', frames, Infinity), 2, 0)
  expect(first.table.count).toBe(2)
  expect(advancePlayback(first, frames.length, 0).table.count).toBe(5)
})

test('however it is played, the end is what the one fold makes of the frames', () => {
  const whole = frames.reduce((state, { block }) => foldAnswer(state, parseBlockEvent(block)), emptyAnswer)
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 30 }), (steps) => {
      let playing = createPlayback('chat.send', frames, 1)
      for (const passed of [...steps, 1_000]) playing = advancePlayback(playing, frames.length, passed)
      expect(toPlaybackTurn(turn, playing).answer).toEqual(whole)
    }),
  )
})

test('a stopped run is played up to its cut, without the zeros that the platform sends for it', () => {
  const usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0, total_price: '0' }
  const block = `data: ${JSON.stringify({ event: 'message_end', message_id: 'm', metadata: { usage } })}`
  const stopped = [...frames.slice(0, 2), { seq: 3, at: 300, bytes: block.length, block }]
  const play = (state: 'stopped' | 'succeeded') =>
    toPlaybackTurn(
      { ...turn, state, frames: 3 },
      advancePlayback(createPlayback('chat.send', stopped, Infinity), stopped.length, 0),
    ).answer
  expect(play('stopped')).toMatchObject({ text: 'The lamp ', usage: null })
  expect(play('succeeded').usage).toMatchObject({ total_tokens: 0 })
})

test('a moment has the frames that had come by then', () => {
  expect([
    countFramesDue(frames, 5, 0),
    countFramesDue(frames, 5, 300),
    countFramesDue(frames, 2, 9_999),
    countFramesDue([], 0, 5),
  ]).toEqual([0, 3, 2, 0])
})
