import { diffWordsWithSpace } from 'diff'

/** The text in which both edits of one base stand, or null where they touch the same words. */
export function mergeOf(base: string, mine: string, theirs: string): string | null {
  if (mine === theirs || base === theirs) return mine
  if (base === mine) return theirs
  const [own, others] = [editsOf(base, mine), editsOf(base, theirs)]
  if (!own || !others) return null
  const edits = [...own, ...others].sort((one, other) => one.from - other.from || one.to - other.to)
  let merged = ''
  let at = 0
  for (const [index, { from, to, text }] of edits.entries()) {
    const before = edits[index - 1]
    // Edits that only touch may belong together: whoever saves must see them.
    if (before && from <= before.to) return null
    merged += base.slice(at, from) + text
    at = to
  }
  return merged + base.slice(at)
}

interface Edit {
  /** The part of the base, in UTF-16 units, in whose place `text` stands. */
  from: number
  to: number
  text: string
}

/** Milliseconds; two texts that differ in so much are not merged. */
const PATIENCE = 300

function editsOf(base: string, edited: string): Edit[] | null {
  const changes = diffWordsWithSpace(base, edited, { timeout: PATIENCE })
  if (!changes) return null
  const edits: Edit[] = []
  let at = 0
  let open: Edit | null = null
  for (const { value, added, removed } of changes) {
    if (!added && !removed) {
      at += value.length
      open = null
      continue
    }
    if (!open) edits.push((open = { from: at, to: at, text: '' }))
    if (added) open.text += value
    else {
      at += value.length
      open.to = at
    }
  }
  return edits
}
