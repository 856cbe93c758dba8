import { expect, test } from 'vitest'
import { countTokens } from '../indexing/tokenCount.ts'
import { titleFromModelText, titleFromQuestion } from './conversationTitle.ts'
import { toAnswerUsage } from './answerUsage.ts'

test('what the model says it used goes before what is counted', async () => {
  const spent = {
    messages: [{ role: 'user', content: 'Hello, world!' } as const],
    answer: 'Hello, world!',
    latency: 1.23456,
    countTokens: (text: string) => Promise.resolve(countTokens(text)),
  }
  expect(await toAnswerUsage({ ...spent, reported: null })).toMatchObject({
    prompt_tokens: 4,
    completion_tokens: 4,
    total_tokens: 8,
    latency: 1.235,
  })
  const said = { prompt_tokens: 100, completion_tokens: null }
  expect(await toAnswerUsage({ ...spent, reported: said })).toMatchObject({
    prompt_tokens: 100,
    completion_tokens: 4,
    total_tokens: 104,
  })
  for (const [name, value] of Object.entries(await toAnswerUsage({ ...spent, reported: said })).filter(([name]) =>
    name.includes('price'),
  ))
    expect(value, name).toMatch(/^\d+\.\d+$/)
})

test('a title is the first line that says something, cut after a word', () => {
  expect(titleFromQuestion('What is Loupe?')).toBe('What is Loupe?')
  expect(titleFromQuestion('\n  ## Hello there.  \nmore')).toBe('Hello there')
  expect(titleFromQuestion('How do I install Loupe on a server that has no internet connection?')).toBe(
    'How do I install Loupe on a server that has no…',
  )
  expect(titleFromQuestion('字'.repeat(100)).length).toBeLessThanOrEqual(48)
  expect(titleFromQuestion('   ')).toBe('New conversation')
  expect(titleFromModelText('"**Tea at 80 degrees.**"\n')).toBe('Tea at 80 degrees')
})
