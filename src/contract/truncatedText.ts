const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** The beginning of a text, of at most so many UTF-16 units: no emoji or accented letter is cut. `mark` follows what is cut. */
export function truncateText(text: string, maxChars: number, mark = ''): string {
  if (text.length <= maxChars) return text
  const end = characters.segment(text.slice(0, maxChars + MAX_CHARACTER_UNITS)).containing(maxChars)?.index
  // One character may have marks without end.
  return `${end ? text.slice(0, end) : text.slice(0, maxChars).replace(/[\uD800-\uDBFF]$/, '')}${mark}`
}

/** Longer ones, letters with many marks, may lose some. */
const MAX_CHARACTER_UNITS = 64
