/** A span of text: start inclusive, end exclusive, in UTF-16 units. */
interface SharedSpan {
  from: number
  to: number
}

const CJK_PATTERN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
const WORD_PATTERN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+|[\p{L}\p{N}]+(?:[.,'’_-][\p{L}\p{N}]+)*/gu
/** Stop words, which any two English texts share. */
const COMMON_WORDS = new Set(
  'about after also among another because been before being between both cannot could does down each even every from have here into itself just like made make many more most much must only other over same should since some such than that their them then there these they this those through under until upon very were what when where which while will with within without would your'.split(
    ' ',
  ),
)

/** The vocabulary of an answer: its words, and the bigrams of its Chinese, Japanese or Korean text. */
export interface Vocabulary {
  words: ReadonlySet<string>
  pairs: ReadonlySet<string>
}

export function toVocabulary(text: string): Vocabulary {
  const words = new Set<string>()
  const pairs = new Set<string>()
  for (const [part] of text.matchAll(WORD_PATTERN)) {
    if (CJK_PATTERN.test(part)) for (const pair of toCharacterPairs(part)) pairs.add(pair.text)
    else words.add(part.toLowerCase())
  }
  return { words, pairs }
}

/** The spans of a text that occur in a vocabulary. Spans separated only by spaces or punctuation are merged. */
export function findSharedSpans(text: string, { words, pairs }: Vocabulary): SharedSpan[] {
  const spans: SharedSpan[] = []
  for (const match of text.matchAll(WORD_PATTERN)) {
    const [part] = match
    if (!CJK_PATTERN.test(part)) {
      if (isSignificant(part) && words.has(part.toLowerCase()))
        appendSpan(spans, text, match.index, match.index + part.length)
      continue
    }
    for (const pair of toCharacterPairs(part))
      if (pairs.has(pair.text)) appendSpan(spans, text, match.index + pair.at, match.index + pair.at + pair.text.length)
  }
  return spans
}

/** Whether a word is significant: a number, or a longer word that is not a stop word. */
const isSignificant = (word: string): boolean =>
  /\p{N}/u.test(word) || (word.length > 3 && !COMMON_WORDS.has(word.toLowerCase()))

function toCharacterPairs(part: string): { text: string; at: number }[] {
  const chars = [...part]
  let at = 0
  return chars.slice(0, -1).map((char, index) => {
    const pair = { text: char + (chars[index + 1] ?? ''), at }
    at += char.length
    return pair
  })
}

function appendSpan(spans: SharedSpan[], text: string, from: number, to: number): void {
  const last = spans.at(-1)
  if (last && (from <= last.to || /^[^\p{L}\p{N}\n]{1,2}$/u.test(text.slice(last.to, from)))) last.to = to
  else spans.push({ from, to })
}
