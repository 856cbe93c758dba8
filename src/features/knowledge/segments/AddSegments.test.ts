import { expect, test } from 'vitest'
import { EMPTY_SEGMENT_DRAFT, MAX_NEW_SEGMENTS, parseSegmentDraft, type SegmentDraft } from './AddSegments.tsx'

const parse = (draft: Partial<SegmentDraft>, isQuestionAnswer = false) =>
  parseSegmentDraft({ ...EMPTY_SEGMENT_DRAFT, ...draft }, isQuestionAnswer)

test('one segment is sent with its keywords, and with an answer in Q&A form alone', () => {
  expect(parse({ content: 'Oolong.\n', keywords: ' tea, ', answer: 'x' })).toEqual({
    segments: [{ content: 'Oolong.\n', keywords: ['tea'] }],
  })
  expect(parse({ content: 'How hot?', answer: '80 degrees.' }, true)).toEqual({
    segments: [{ content: 'How hot?', answer: '80 degrees.' }],
  })
  expect(parse({ content: ' \n' })).toEqual({ error: { field: 'content', kind: 'empty' } })
  expect(parse({ content: 'How hot?' }, true)).toEqual({ error: { field: 'answer', kind: 'empty' } })
})

test('of many, each line is one; empty lines are none', () => {
  expect(parse({ mode: 'many', lines: ' One.\r\n\r\nTwo,\twith a tab.\n' })).toEqual({
    segments: [{ content: 'One.' }, { content: 'Two,\twith a tab.' }],
  })
  expect(parse({ mode: 'many', lines: '\n \n' })).toEqual({ error: { field: 'lines', kind: 'empty' } })
  const lines = (count: number) => Array.from({ length: count }, (_, index) => `Line ${index}`).join('\n')
  expect(parse({ mode: 'many', lines: lines(MAX_NEW_SEGMENTS) })).toHaveProperty('segments.length', MAX_NEW_SEGMENTS)
  expect(parse({ mode: 'many', lines: lines(MAX_NEW_SEGMENTS + 1) })).toEqual({
    error: { field: 'lines', kind: 'tooMany' },
  })
})

test('in Q&A form a line is a question, a tab and an answer', () => {
  expect(parse({ mode: 'many', lines: 'How hot?\t80\tdegrees.' }, true)).toEqual({
    segments: [{ content: 'How hot?', answer: '80\tdegrees.' }],
  })
  for (const line of ['How hot?', 'How hot?\t ', '\t80'])
    expect(parse({ mode: 'many', lines: `\nA\tB\n${line}` }, true)).toEqual({
      error: { field: 'lines', kind: 'withoutAnswer', line: 3 },
    })
})
