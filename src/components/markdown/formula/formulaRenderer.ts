import katex from 'katex'
import 'katex/dist/katex.min.css'

/** Elements of one formula: an array of 2,000 cells has six times as many. */
const MAX_ELEMENTS = 4_000

/**
 * Renders a formula into an element; false if it is no valid LaTeX, or too large. The element is built node by node, because
 * the page’s policies refuse HTML and style attributes in text. Commands that load, link or name something are off.
 */
export function renderFormula(element: HTMLElement, tex: string, isDisplay: boolean): boolean {
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
    if (element.getElementsByTagName('*').length <= MAX_ELEMENTS) return true
    element.replaceChildren()
    return false
  } catch {
    element.replaceChildren()
    return false
  }
}
