const MAX_TITLE_CHARS = 48
/** Characters of the question that a title may come from. */
const MAX_SCANNED_CHARS = 1000
const wordSegmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

/** A title for a conversation made of what was asked first: its first line, cut after a whole word. Never empty. */
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

/** What a model wrote as a title: one line, without quotes, not longer than others. */
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
