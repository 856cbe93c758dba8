import type { EscapedText, FormulaRange } from './escapeMath.ts'
import { elementNode, getSourceOffset, type HastNode, replaceText, sliceTextNode } from './htmlTree.ts'

/** Longer formulas, and those after so many in one block, stay source text. */
const MAX_FORMULA_CHARS = 4_000
const MAX_FORMULAS = 500

/** Turns the formulas of a block into spans that render as mathematics. Needs the source offsets. */
export const rehypeFormulas =
  ({ formulas }: EscapedText, start: number) =>
  () =>
  (tree: HastNode) => {
    const ranges = formulas.slice(0, MAX_FORMULAS).filter(({ from, to }) => to - from <= MAX_FORMULA_CHARS)
    if (ranges.length > 0) replaceText(tree, (words) => splitFormulas(words, ranges, start))
  }

/** Splits a text at the formulas that stand in it as a whole; null without one. */
function splitFormulas(words: HastNode, formulas: readonly FormulaRange[], start: number): HastNode[] | null {
  const length = words.value?.length ?? 0
  const first = getSourceOffset(words, 0)
  const end = getSourceOffset(words, length - 1)
  if (first === undefined || end === undefined) return null
  const parts: HastNode[] = []
  let [last, at] = [0, 0]
  for (const { from, to } of formulas.slice(findFirst(formulas, first - start))) {
    if (start + to - 1 > end) break
    while (at < length && (getSourceOffset(words, at) ?? 0) < start + from) at++
    if (getSourceOffset(words, at) !== start + from) continue
    const begin = at
    while (at < length && (getSourceOffset(words, at) ?? 0) < start + to) at++
    if (begin > last) parts.push(sliceTextNode(words, last, begin))
    parts.push(toFormulaElement(sliceTextNode(words, begin, at)))
    last = at
  }
  if (parts.length === 0) return null
  return last < length ? [...parts, sliceTextNode(words, last)] : parts
}

/** The index of the first formula at or after an offset. */
function findFirst(formulas: readonly FormulaRange[], offset: number): number {
  let low = 0
  let high = formulas.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((formulas[middle]?.from ?? 0) < offset) low = middle + 1
    else high = middle
  }
  return low
}

function toFormulaElement(source: HastNode): HastNode {
  const text = source.value ?? ''
  const delimiter = /^(?:\$\$|\$|\\\(|\\\[)/.exec(text)?.[0] ?? ''
  return elementNode('span', [source], {
    dataFormula: text.slice(delimiter.length, -delimiter.length),
    dataDisplay: delimiter === '$$' || delimiter === '\\[',
  })
}
