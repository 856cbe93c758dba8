import type { Check, TextCheckType } from '#contract/console/checks.ts'
import { isSuccessStatus } from '#contract/console/runs.ts'
import type { CaseExpectation } from '#contract/console/suites.ts'
import { type CheckedRun, type CheckScore, UndecidableCheckError } from './checkedResult.ts'
import { isSameText, toSamenessKey } from '../samenessKey.ts'
import { isEqualJson, parseJsonText } from './jsonValue.ts'
import { countEdits, measureRouge, measureWording } from './textSimilarity.ts'
import { truncateText } from '#contract/truncatedText.ts'

/** @throws UndecidableCheckError */
export function evaluateTextCheck(
  type: TextCheckType,
  check: Check,
  run: CheckedRun,
  expected: CaseExpectation,
): CheckScore {
  const text = requireText(run)
  switch (type) {
    case 'equals':
      return toEquality(check.value ?? expected.answer, text)
    case 'contains':
    case 'icontains':
    case 'starts-with':
      return toMatch(type, toReference(check, expected), text)
    case 'contains-any':
    case 'contains-all':
      return toListMatch(type, toTextList(check.value), text)
    case 'regex':
      return toPatternMatch(check.value, text)
    case 'levenshtein':
      return toDistance(toReference(check, expected), text)
    case 'rouge-n':
      return toRougeScore(check.n ?? 1, toReference(check, expected), text)
    case 'similar': {
      const score = measureWording(text, toReference(check, expected))
      return { score, threshold: 0.75, reason: `Similar wording, by trigrams and without a model: ${format(score)}.` }
    }
    case 'is-refusal': {
      const phrase = findRefusal(text)
      const reason =
        phrase === null ? 'No refusal phrase found.' : phrase === '' ? 'The answer is empty.' : `“${phrase}”`
      return { ...toBoolean(phrase !== null), reason }
    }
  }
}

/** The text of a complete answer. @throws UndecidableCheckError */
export function requireText({ status, text }: CheckedRun): string {
  if (!isSuccessStatus(status))
    throw new UndecidableCheckError(`The run has the status ${status}, so its answer is incomplete.`)
  return text
}

export const toBoolean = (isTrue: boolean): Pick<CheckScore, 'score' | 'threshold'> => ({
  score: isTrue ? 1 : 0,
  threshold: 1,
})

function toReference({ value }: Check, { answer }: CaseExpectation): string {
  const reference = value ?? answer
  if (typeof reference !== 'string' || reference === '')
    throw new UndecidableCheckError('Neither the check nor the case has a text to compare with.')
  return reference
}

function toTextList(value: unknown): string[] {
  const texts = [value].flat()
  if (texts.length === 0 || !texts.every((one) => typeof one === 'string'))
    throw new UndecidableCheckError('`value` must be a list of texts.')
  return texts
}

function toEquality(value: unknown, text: string): CheckScore {
  if (value === undefined) throw new UndecidableCheckError('Neither the check nor the case has a text to compare with.')
  const isEqual = typeof value === 'string' ? isSameText(value, text) : isEqualJson(parseJsonText(text), value)
  const difference = typeof value === 'string' ? ` ${describeDifference(value, text)}` : ''
  const reason = isEqual ? 'The answer is equal.' : `The answer is “${toExcerpt(text)}”.${difference}`
  return { ...toBoolean(isEqual), reason }
}

/** The first character of an answer that is not the expected one. Look-alikes are distinguished by their code points. */
function describeDifference(expected: string, text: string): string {
  const [wanted, found] = [expected, text].map((one) => [...toSamenessKey(one)]) as [string[], string[]]
  const at = wanted.findIndex((character, index) => character !== found[index])
  if (at === -1) return `The answer continues after character ${wanted.length}.`
  if (at === found.length) return `It ends after character ${at}; “${toExcerpt(wanted.slice(at).join(''))}” is missing.`
  return `Character ${at + 1} is ${toCharacterName(found[at])}, not ${toCharacterName(wanted[at])}.`
}

const toCharacterName = (character = ''): string => {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  return /[\p{Z}\p{C}\p{M}]/u.test(character) ? `U+${code}` : `“${character}” (U+${code})`
}

/**
 * Maximum product of the lengths of an answer and of the texts in it: the engine may compare each pair, and cannot be
 * interrupted.
 */
const MAX_SEARCHED_PAIRS = 1_000_000_000

function requireSearchable(wanted: readonly string[], text: string): void {
  if (wanted.join('').length * text.length > MAX_SEARCHED_PAIRS)
    throw new UndecidableCheckError('The texts are too long to search for in this answer.')
}

function toMatch(type: 'contains' | 'icontains' | 'starts-with', wanted: string, text: string): CheckScore {
  if (type !== 'starts-with') requireSearchable([wanted], text)
  const [answer, part] = [toSamenessKey(text), toSamenessKey(wanted)]
  const isFound =
    type === 'starts-with'
      ? answer.startsWith(part)
      : type === 'contains'
        ? answer.includes(part)
        : answer.toLowerCase().includes(part.toLowerCase())
  const verb = type === 'starts-with' ? ['starts', 'does not start'] : ['contains', 'does not contain']
  const preposition = type === 'starts-with' ? ' with' : ''
  return {
    ...toBoolean(isFound),
    reason: `The answer ${isFound ? verb[0] : verb[1]}${preposition} “${toExcerpt(wanted)}”.`,
  }
}

function toListMatch(type: 'contains-any' | 'contains-all', wanted: readonly string[], text: string): CheckScore {
  requireSearchable(wanted, text)
  const answer = toSamenessKey(text)
  const missing = wanted.filter((one) => !answer.includes(toSamenessKey(one)))
  const found = wanted.length - missing.length
  const reason = `The answer contains ${found} of ${wanted.length} texts${missing[0] === undefined ? '' : `, not “${toExcerpt(missing[0])}”`}.`
  return type === 'contains-any'
    ? { ...toBoolean(found > 0), reason }
    : { score: found / wanted.length, threshold: 1, reason }
}

function toPatternMatch(value: unknown, text: string): CheckScore {
  const pattern = typeof value === 'string' ? toPattern(value) : null
  if (!pattern) throw new UndecidableCheckError('`value` must be a regular expression.')
  const match = pattern.exec(text)
  return {
    ...toBoolean(match !== null),
    reason: match ? `It matches “${toExcerpt(match[0])}”.` : 'Nothing in the answer matches.',
  }
}

function toPattern(source: string): RegExp | null {
  try {
    return new RegExp(source)
  } catch {
    return null
  }
}

const DEFAULT_MAX_EDITS = 5
/** Maximum compared pairs of characters; more would take seconds. */
const MAX_COMPARED_PAIRS = 4_000_000

function toDistance(reference: string, text: string): CheckScore {
  if (reference.length * text.length > MAX_COMPARED_PAIRS)
    throw new UndecidableCheckError('The texts are too long for an edit distance.')
  const edits = countEdits(text, reference)
  return { score: edits, threshold: DEFAULT_MAX_EDITS, isLimit: true, reason: `The edit distance is ${edits}.` }
}

function toRougeScore(n: number, reference: string, text: string): CheckScore {
  const score = measureRouge(text, reference, n)
  if (score === null) throw new UndecidableCheckError(`The text to compare with has fewer than ${n} words.`)
  return { score, threshold: 0.75, reason: `ROUGE-${n} is ${format(score)}.` }
}

/** The phrase of a refusal, an empty text for an empty answer, null for none. English only. */
function findRefusal(text: string): string | null {
  const normalized = text.toLowerCase().replaceAll('’', "'").trim()
  if (normalized === '') return ''
  return REFUSAL_PHRASES.find((phrase) => normalized.includes(phrase)) ?? null
}

const REFUSAL_PHRASES = [
  "i'm sorry",
  'i am sorry',
  'i apologize',
  'i must decline',
  "i can't assist",
  'i cannot assist',
  "i can't help",
  'i cannot help',
  "i can't answer",
  'i cannot answer',
  "i can't provide",
  'i cannot provide',
  "i can't fulfill",
  'i cannot fulfill',
  "i'm unable to",
  'i am unable to',
  "i'm not able to",
  'i am not able to',
  "i don't know",
  'i do not know',
  "i don't have enough information",
  'i do not have enough information',
  'as an ai',
]

const MAX_EXCERPT_CHARS = 80
export const toExcerpt = (text: string): string => truncateText(text, MAX_EXCERPT_CHARS, '…')
const format = (score: number): string => score.toFixed(2)
