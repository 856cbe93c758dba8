/** A run of a script without blanks; its terms are pairs of neighbouring characters. */
const UNSPACED_SCRIPT = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー]+/u
const TERM_PATTERN = new RegExp(`${UNSPACED_SCRIPT.source}|[\\p{L}\\p{N}\\p{M}]+`, 'gu')

/** Stop words: they state how a question is asked, not its subject. */
const STOP_WORDS = new Set(
  `a about all also am an and any are as at be been being but by can could did do does for from get give had has have how i if in into
  is it its just may me might more most much my no not of on one or our please shall should so some tell than that the their them
  then there these they this those to too us use was we were what when where which while who whom whose why will with would you your
  什么 怎么 如何 哪些 哪个 为什 为何 是否 多少 怎样 请问 可以 能否 有没 没有 是什 么是 的是 いつ どこ どう なぜ です ます した する ください`.split(
    /\s+/,
  ),
)

/**
 * The terms of a text, in order: stemmed words in lower case; in Chinese, Japanese and Thai, which have no blanks
 * between words, pairs of neighbouring characters. Stop words are excluded.
 */
export function extractTerms(text: string): string[] {
  return [...text.normalize('NFKC').toLowerCase().matchAll(TERM_PATTERN)].flatMap(([run]) =>
    UNSPACED_SCRIPT.test(run) ? toBigrams(run) : STOP_WORDS.has(run) ? [] : [stem(run)],
  )
}

function toBigrams(run: string): string[] {
  const characters = [...run]
  if (characters.length === 1) return characters
  return characters.slice(1).flatMap((character, index) => {
    const pair = `${characters[index]}${character}`
    return STOP_WORDS.has(pair) ? [] : [pair]
  })
}

/**
 * Removes plural, -ed and -ing, so that “indexing” finds “indexed”. Coarse on purpose: both sides are stemmed alike.
 */
function stem(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word
  const singular = word.endsWith('ies')
    ? `${word.slice(0, -3)}y`
    : /(ss|us|is)$/.test(word)
      ? word
      : word.replace(/(?<=(ch|sh|x|z|s))es$|s$/, '')
  const base = singular.replace(/(?<=.{3})(ing|ed)$/, '')
  return base.replace(/(.)\1$/, '$1').replace(/(?<=.{3})e$/, '')
}

/**
 * Inverse document frequency of each term: high for rare terms, low for frequent ones. `bags` are the compared texts.
 */
export function createTermWeights(termSets: readonly ReadonlySet<string>[]): (term: string) => number {
  const documentCounts = new Map<string, number>()
  for (const termSet of termSets)
    for (const term of termSet) documentCounts.set(term, (documentCounts.get(term) ?? 0) + 1)
  return (term) => Math.log(1 + (termSets.length + 1) / ((documentCounts.get(term) ?? 0) + 1))
}

/** Similarity of two sets of terms: 0 nothing in common, 1 equal. */
export function getTermOverlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const common = [...one].filter((term) => other.has(term)).length
  return common === 0 ? 0 : common / (one.size + other.size - common)
}
