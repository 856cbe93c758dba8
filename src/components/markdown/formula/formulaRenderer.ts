import katex from 'katex'
import 'katex/dist/katex.min.css'

/** Elements of one formula. A cell has at least six: too many cells are refused before they are built. */
const MAX_ELEMENTS = 4_000
const MAX_CELLS = MAX_ELEMENTS / 6
const CELL_END_PATTERN = /&|\\\\/
/** Elements within one another: a fraction has eight. The layout of some hundred fractions crashes the page. */
const MAX_DEPTH = 200
/** Groups within one another: such a formula takes 400 ms to build, and is too deep then. */
const DEEP_PATTERN = /(?:\{[^{}]*){50}/

/**
 * Renders a formula into an element; false for invalid LaTeX, or if it is too large. The element is built node by
 * node, because the page’s policies refuse HTML and style attributes in text. Commands that load, link or name
 * something are disabled.
 */
export function renderFormula(element: HTMLElement, tex: string, isDisplay: boolean): boolean {
  if (DEEP_PATTERN.test(tex) || tex.split(CELL_END_PATTERN).length > MAX_CELLS) return false
  try {
    katex.render(tex, element, {
      displayMode: isDisplay,
      // MathML would need style attributes; the label of the formula is its source.
      output: 'html',
      trust: false,
      strict: 'ignore',
      maxSize: 20,
      maxExpand: 200,
    })
    if (isWithinLimits(element)) return true
    element.replaceChildren()
    return false
  } catch {
    element.replaceChildren()
    return false
  }
}

function isWithinLimits(element: Element): boolean {
  let count = 0
  let level = [element]
  for (let depth = 0; level.length > 0; depth++) {
    count += level.length
    if (depth > MAX_DEPTH || count > MAX_ELEMENTS) return false
    level = level.flatMap(({ children }) => [...children])
  }
  return true
}
