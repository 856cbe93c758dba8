import { expect, test } from 'vitest'
import { countTokens } from '../indexing/tokens.ts'
import { titleFrom, titleOf } from './title.ts'
import { usageOf } from './usage.ts'

test('what the model says it used goes before what is counted', async () => {
  const spent = {
    messages: [{ role: 'user', content: 'Hello, world!' } as const],
    answer: 'Hello, world!',
    latency: 1.23456,
    countTokens: (text: string) => Promise.resolve(countTokens(text)),
  }
  expect(await usageOf({ ...spent, said: null })).toMatchObject({
    prompt_tokens: 4,
    completion_tokens: 4,
    total_tokens: 8,
    latency: 1.235,
  })
  const said = { prompt_tokens: 100, completion_tokens: null }
  expect(await usageOf({ ...spent, said })).toMatchObject({
    prompt_tokens: 100,
    completion_tokens: 4,
    total_tokens: 104,
  })
  for (const [name, value] of Object.entries(await usageOf({ ...spent, said })).filter(([name]) =>
    name.includes('price'),
  ))
    expect(value, name).toMatch(/^\d+\.\d+$/)
})

test('a title is the first line that says something, cut after a word', () => {
  expect(titleOf('What is Loupe?')).toBe('What is Loupe?')
  expect(titleOf('\n  ## Hello there.  \nmore')).toBe('Hello there')
  expect(titleOf('How do I install Loupe on a server that has no internet connection?')).toBe(
    'How do I install Loupe on a server that has no…',
  )
  expect(titleOf('字'.repeat(100)).length).toBeLessThanOrEqual(48)
  expect(titleOf('   ')).toBe('New conversation')
  expect(titleFrom('"**Tea at 80 degrees.**"\n')).toBe('Tea at 80 degrees')
})
