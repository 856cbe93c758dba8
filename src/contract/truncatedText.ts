const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/**
 * The beginning of a text, at most `maxChars` UTF-16 units, without cutting an emoji or accented letter. `mark`
 * follows a cut text.
 */
export function truncateText(text: string, maxChars: number, mark = ''): string {
  if (text.length <= maxChars) return text
  const end = characters.segment(text.slice(0, maxChars + MAX_CHARACTER_UNITS)).containing(maxChars)?.index
  // One character may have any number of marks.
  return `${end ? text.slice(0, end) : text.slice(0, maxChars).replace(/[\uD800-\uDBFF]$/, '')}${mark}`
}

/** Longer characters, letters with many marks, may lose some. */
const MAX_CHARACTER_UNITS = 64
