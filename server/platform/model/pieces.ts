const words = new Intl.Segmenter(undefined, { granularity: 'word' })
const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const LONGEST = 16

/**
 * Cuts a text into the small pieces in which it is streamed: a word with the blanks and signs that follow it, or a few
 * characters where words stand without blanks. Joined they are the text; no piece begins inside a character.
 */
export function pieces(text: string): string[] {
  const cut: string[] = []
  for (const { segment, isWordLike } of words.segment(text)) {
    const last = cut.at(-1)
    const fits = last !== undefined && last.length + segment.length <= LONGEST
    if (!isWordLike && fits) cut[cut.length - 1] = last + segment
    else cut.push(...shorten(segment))
  }
  return cut
}

function shorten(segment: string): string[] {
  if (segment.length <= LONGEST) return [segment]
  const cut: string[] = []
  for (const { segment: character } of characters.segment(segment)) {
    const last = cut.at(-1)
    if (last !== undefined && last.length + character.length <= LONGEST) cut[cut.length - 1] = last + character
    else cut.push(character)
  }
  return cut
}
