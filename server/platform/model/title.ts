const LONGEST = 48
/** Characters of the question that a title may come from. */
const LOOKED_AT = 1000
const words = new Intl.Segmenter(undefined, { granularity: 'word' })

/** A title for a conversation made of what was asked first: its first line, cut after a whole word. Never empty. */
export function titleOf(query: string): string {
  const line = query
    .slice(0, LOOKED_AT)
    .split(/\n+/)
    .map((text) => text.replace(/^[\s#>*+-]+/, '').trim())
    .find((text) => /[\p{L}\p{N}]/u.test(text))
  const title = (line ?? query.slice(0, LOOKED_AT).trim()).replace(/\s+/g, ' ').replace(/[.。!！,，;；:：\s]+$/u, '')
  return shorten(title) || 'New conversation'
}

/** What a model wrote as a title: one line, without quotes, not longer than others. */
export const titleFrom = (written: string): string => titleOf(written.replace(/["'“”‘’「」『』`*_]/g, ''))

function shorten(title: string): string {
  if (title.length <= LONGEST) return title
  let kept = ''
  for (const { segment } of words.segment(title)) {
    if (kept.length + segment.length > LONGEST - 1) break
    kept += segment
  }
  return `${(kept || [...title].slice(0, LONGEST / 2).join('')).trimEnd()}…`
}
