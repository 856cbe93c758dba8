import { codeEndsIn } from './markdownScan.ts'

export type FoldKind = 'thought' | 'details'

/** A tag that begins or ends what is folded. */
export interface FoldTag {
  kind: FoldKind
  isClosing: boolean
  /** Offsets in the line. */
  from: number
  to: number
}

export const FOLD_TAG_SOURCE = String.raw`<(?<slash>\/?)(?<name>think(?:ing)?|thoughts?|reasoning|details)(?:\s[^<>]*)?>`
const TAG_PATTERN = new RegExp(FOLD_TAG_SOURCE, 'i')
const TAG_OR_CODE_PATTERN = new RegExp(String.raw`(?<!\\)(?:${FOLD_TAG_SOURCE}|${'`'}+)`, 'gi')

/** The kind of fold that a tag of this name makes. */
export function toFoldKind(name: string): FoldKind | null {
  if (!TAG_PATTERN.test(`<${name}>`)) return null
  return name.toLowerCase() === 'details' ? 'details' : 'thought'
}

/** The tags of folds in a line, those in code spans aside. */
export function listFoldTags(line: string): FoldTag[] {
  if (!TAG_PATTERN.test(line)) return []
  const findCodeEnd = codeEndsIn(line, 0, line.length)
  const tags: FoldTag[] = []
  let next = 0
  for (const { 0: found, index: from, groups } of line.matchAll(TAG_OR_CODE_PATTERN)) {
    const to = from + found.length
    const kind = toFoldKind(groups?.name ?? '')
    if (from < next) continue
    if (kind) tags.push({ kind, isClosing: groups?.slash === '/', from, to })
    else next = findCodeEnd(found.length, to) ?? to
  }
  return tags
}
