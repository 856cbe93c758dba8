import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Check } from '#contract/console/checks.ts'
import { checkRun } from './checkedRun.testing.ts'
import { countEdits, measureRouge, measureWording } from './textSimilarity.ts'

const TEXT = 'Returns are free within 30 days of delivery.'

describe('a check of a text', () => {
  it.each([
    [{ type: 'equals', value: TEXT }, 'pass'],
    [{ type: 'equals', value: `${TEXT} ` }, 'fail'],
    [{ type: 'contains', value: '30 days' }, 'pass'],
    [{ type: 'contains', value: '30 DAYS' }, 'fail'],
    [{ type: 'not-contains', value: '14 days' }, 'pass'],
    [{ type: 'icontains', value: '30 DAYS' }, 'pass'],
    [{ type: 'contains-any', value: ['two weeks', 'free'] }, 'pass'],
    [{ type: 'contains-all', value: ['30 days', 'free'] }, 'pass'],
    [{ type: 'contains-all', value: ['30 days', 'paid'] }, 'fail'],
    [{ type: 'contains-all', value: ['30 days', 'paid'], threshold: 0.5 }, 'pass'],
    [{ type: 'starts-with', value: 'Returns' }, 'pass'],
    [{ type: 'regex', value: '\\b\\d+ days\\b' }, 'pass'],
    [{ type: 'regex', value: '^\\d' }, 'fail'],
    [{ type: 'levenshtein', value: 'Returns are free within 14 days of delivery.' }, 'pass'],
    [{ type: 'levenshtein', value: 'Returns are free within 14 days of delivery.', threshold: 1 }, 'fail'],
    [{ type: 'rouge-n', value: 'delivery of days 30 within free' }, 'pass'],
    [{ type: 'rouge-n', n: 2, value: 'delivery of days 30 within free' }, 'fail'],
    [{ type: 'rouge-n', n: 3, value: 'too short' }, 'error'],
    [{ type: 'similar', value: 'Returns are free within 30 days of the delivery.' }, 'pass'],
    [{ type: 'similar', value: 'We ship to every country.' }, 'fail'],
    [{ type: 'is-refusal' }, 'fail'],
  ] as const)('%j is a %s', (check, verdict) => {
    expect(checkRun(Check.parse(check), { text: TEXT }).verdict).toBe(verdict)
  })

  it.each([
    ['equals', 'Ku\u0308che', 'Küche', 'pass', 'The answer is equal.'],
    ['equals', '한국'.normalize('NFD'), '한국', 'pass', 'The answer is equal.'],
    ['equals', 'が', 'か\u3099', 'pass', 'The answer is equal.'],
    ['contains', 'cafe\u0301', 'Das Café und das café.', 'pass', 'contains'],
    ['contains-all', ['A\u030A', 'é'], 'Åre, née', 'pass', '2 of 2'],
    ['starts-with', 'Ü', 'U\u0308ber', 'pass', 'starts with'],
    ['equals', 'Kuche', 'Küche', 'fail', 'Character 2 is “ü” (U+00FC), not “u” (U+0075).'],
    ['equals', 'a b', 'a\u00A0b', 'fail', 'Character 2 is U+00A0, not U+0020.'],
    ['equals', 'Aus', 'Аus', 'fail', 'Character 1 is “А” (U+0410), not “A” (U+0041).'],
    ['equals', 'yes', 'yes.', 'fail', 'The answer continues after character 3.'],
    ['equals', '🚀 go!', '🚀 go', 'fail', 'It ends after character 4; “!” is missing.'],
  ] as const)('%s %j of %j: %s, %s', (type, value, text, verdict, reason) => {
    const found = checkRun(Check.parse({ type, value }), { text })
    expect(found.verdict).toBe(verdict)
    expect(found.reason).toContain(reason)
    if (type === 'equals' && verdict === 'pass')
      expect(checkRun({ type, value: { a: [value] } }, { text: JSON.stringify({ a: [text] }) }).verdict).toBe('pass')
  })

  it('compares JSON values by their content', () => {
    const check = { type: 'equals', value: { a: 1, b: [true, null] } } as const
    expect(checkRun(check, { text: '{"b": [true, null], "a": 1}' }).verdict).toBe('pass')
    expect(checkRun(check, { text: '{"a": 1}' }).verdict).toBe('fail')
    expect(checkRun(check, { text: 'no JSON' }).verdict).toBe('fail')
  })

  it.each(['I’m sorry, but I can’t help with that.', 'I do not know.', '', '  '])('%j is a refusal', (text) => {
    expect(checkRun({ type: 'is-refusal' }, { text }).verdict).toBe('pass')
  })

  it('compares with the answer that the case expects, and without one cannot be decided, also when negated', () => {
    const expected = { answer: '30 days' }
    expect(checkRun({ type: 'contains' }, { text: TEXT }, expected).verdict).toBe('pass')
    expect(checkRun({ type: 'not-contains' }, { text: TEXT }, expected).verdict).toBe('fail')
    expect(checkRun({ type: 'contains', value: 'free' }, { text: TEXT }, { answer: 'else' }).verdict).toBe('pass')
    for (const type of ['equals', 'contains', 'not-contains', 'levenshtein', 'rouge-n', 'similar'] as const)
      expect(checkRun({ type }, { text: TEXT }).verdict).toBe('error')
  })

  it('cannot be decided of an answer that is not complete, also when negated', () => {
    for (const status of ['interrupted', 'failed', 'stopped', 'paused'] as const) {
      expect(checkRun({ type: 'contains', value: 'free' }, { text: TEXT, status }).verdict).toBe('error')
      expect(checkRun({ type: 'not-contains', value: 'paid' }, { text: TEXT, status }).verdict).toBe('error')
    }
  })

  it('refuses to compare texts that would take seconds', () => {
    const verdict = checkRun({ type: 'levenshtein', value: 'a'.repeat(3_000) }, { text: 'b'.repeat(3_000) })
    expect(verdict).toMatchObject({ verdict: 'error', reason: 'The texts are too long for an edit distance.' })
    for (const [type, value] of [
      ['contains', 'ab'.repeat(1_000)],
      ['not-icontains', 'ab'.repeat(1_000)],
      ['contains-all', Array.from({ length: 1_000 }, () => 'ab')],
    ] as const)
      expect(checkRun({ type, value }, { text: 'a'.repeat(900_000) })).toMatchObject({
        verdict: 'error',
        reason: 'The texts are too long to search for in this answer.',
      })
  })
})

describe('the likeness of texts', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'ß', '🙂'), maxLength: 7 })

  it('counts edits as the definition does', () => {
    const countNaively = (one: string[], other: string[]): number => {
      if (one.length === 0 || other.length === 0) return one.length + other.length
      const [[first, ...rest], [otherFirst, ...otherRest]] = [one, other]
      if (first === otherFirst) return countNaively(rest, otherRest)
      return 1 + Math.min(countNaively(rest, other), countNaively(one, otherRest), countNaively(rest, otherRest))
    }
    fc.assert(
      fc.property(word, word, (one, other) => countEdits(one, other) === countNaively([...one], [...other])),
      { seed: 25, numRuns: 200 },
    )
  })

  it('is 1 for the same words, does not depend on the side, and stays between 0 and 1', () => {
    const text = fc.array(word, { maxLength: 5 }).map((words) => words.join(' '))
    fc.assert(
      fc.property(text, text, (one, other) => {
        const wording = measureWording(one, other)
        expect(wording).toBe(measureWording(other, one))
        expect(wording).toBeGreaterThanOrEqual(0)
        expect(wording).toBeLessThanOrEqual(1)
        expect(measureWording(one, one)).toBe(1)
        const rouge = measureRouge(one, other, 1)
        if (rouge !== null) expect(rouge >= 0 && rouge <= 1).toBe(true)
      }),
      { seed: 25, numRuns: 200 },
    )
  })

  it('counts a word of the reference as often as the text has it', () => {
    expect(measureRouge('the cat', 'the cat the cat', 1)).toBe(2 / 3)
    expect(measureRouge('the cat the cat', 'the cat', 1)).toBe(2 / 3)
    expect(measureRouge('the cat sat', 'The cat sat down', 2)).toBe(4 / 5)
    expect(measureRouge('我想退货', '我想退货', 1)).toBe(1)
  })
})

describe('the parameters of a check', () => {
  it.each([
    [{ type: 'regex' }, 'value', 'is required for regex'],
    [{ type: 'not-regex', value: '(' }, 'value', 'must be a regular expression'],
    [{ type: 'contains', value: 7 }, 'value', 'must be a text for contains'],
    [{ type: 'cost', threshold: 1 }, 'currency', 'is required for cost'],
    [{ type: 'node-output', node: 'llm' }, 'path', 'is required for node-output'],
    [{ type: 'node-order', value: [] }, 'value', 'must be a list of texts for node-order'],
  ])('%j names the field %s', (check, field, message) => {
    expect(Check.safeParse(check).error?.issues).toMatchObject([{ path: [field], message }])
  })
})

it('says of a failure what would have passed, and what the answer was', () => {
  const getReason = (check: Check) => checkRun(check, { text: 'Within 14 days.', total_tokens: 12 }).reason
  expect(getReason({ type: 'contains', value: '30 days' })).toBe(
    'The answer does not contain “30 days”. The answer is “Within 14 days.”.',
  )
  expect(getReason({ type: 'similar', value: 'Tomorrow' })).toMatch(
    /: 0\.\d+\. At least 0\.75 passes\. The answer is “Within/,
  )
  expect(getReason({ type: 'tokens', threshold: 20 })).toBe('The run used 12 tokens.')
})
