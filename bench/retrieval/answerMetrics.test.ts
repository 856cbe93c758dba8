import { expect, test } from 'vitest'
import { answerFrom, holdsGoldText, isAnswered } from './answerMetrics.ts'

const segment = (content: string) => ({ id: 'a', content, answer: null, score: 0.5 })

test.each([
  ['Where is the harbour of Bremen?', 'The harbour of Bremen is in Bremerhaven.', 'What do bees eat?'],
  ['不来梅的港口在哪里？', '不来梅的港口在不来梅港。', '蜜蜂吃什么东西？'],
])('a quote is an answer, the phrase that nothing answers is none: %s', (question, content, other) => {
  const answer = answerFrom(question, [segment(content)])
  expect(isAnswered(question, answer)).toBe(true)
  expect(answer).toContain(content)
  expect(isAnswered(other, answerFrom(other, [segment(content)]))).toBe(false)
  expect(isAnswered(other, answerFrom(other, []))).toBe(false)
})

test('a gold text is found whatever its case, width and punctuation', () => {
  expect(holdsGoldText('The documents say:\n\n- It was “Bremer-Haven”, in 1827. [1]', ['bremer haven'])).toBe(true)
  expect(holdsGoldText('１８２７年 [1]', ['1827'])).toBe(true)
  expect(holdsGoldText('It was Bremen. [1]', ['Hamburg', 'Bremen'])).toBe(true)
  expect(holdsGoldText('It was Bremen. [1]', ['Hamburg'])).toBe(false)
})

test('the number of a citation and a gold text of punctuation are not found', () => {
  expect(holdsGoldText('It was Bremen. [1][2]', ['2'])).toBe(false)
  expect(holdsGoldText('It was Bremen. [1]', ['%'])).toBe(false)
})
