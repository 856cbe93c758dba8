const MAX_TITLE_CHARS = 48
/** Maximum characters of the question that are used for a title. */
const MAX_SCANNED_CHARS = 1000
const wordSegmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

/** A title for a conversation from its first question: the first line, cut after a whole word. Never empty. */
export function titleFromQuestion(query: string): string {
  const line = query
    .slice(0, MAX_SCANNED_CHARS)
    .split(/\n+/)
    .map((text) => text.replace(/^[\s#>*+-]+/, '').trim())
    .find((text) => /[\p{L}\p{N}]/u.test(text))
  const title = (line ?? query.slice(0, MAX_SCANNED_CHARS).trim())
    .replace(/\s+/g, ' ')
    .replace(/[.。!！,，;；:：\s]+$/u, '')
  return truncateTitle(title) || 'New conversation'
}

/** Cleans up a title that a model wrote: one line, without quotes, with the usual maximum length. */
export const titleFromModelText = (written: string): string =>
  titleFromQuestion(written.replace(/["'“”‘’「」『』`*_]/g, ''))

function truncateTitle(title: string): string {
  if (title.length <= MAX_TITLE_CHARS) return title
  let truncated = ''
  for (const { segment } of wordSegmenter.segment(title)) {
    if (truncated.length + segment.length > MAX_TITLE_CHARS - 1) break
    truncated += segment
  }
  return `${(truncated || [...title].slice(0, MAX_TITLE_CHARS / 2).join('')).trimEnd()}…`
}
