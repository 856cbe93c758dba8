import { formatNumber } from './numberFormat.ts'
import { findChild, findNodes, getAttribute, type MarkupNode } from './markupNode.ts'

interface Level {
  format: string
  /** `%1.%2` */
  text: string
  start: number
  isLegal: boolean
}

/** The label of a paragraph that is numbered by this definition and level, counted in the order of the calls. */
export type Labeller = (numId: string, level: number) => string

/** Reads the numbering of a document. */
export function createLabeller(
  numbering: MarkupNode | undefined,
  findStyleNumId: (style: string) => string | undefined,
): Labeller {
  const definitions = new Map(
    findNodes(numbering, 'w:abstractNum').map((node) => [getAttribute(node, 'abstractNumId'), node]),
  )
  const nums = new Map(findNodes(numbering, 'w:num').map((node) => [getAttribute(node, 'numId'), node]))
  const counters = new Map<string, number[]>()
  const started = new Set<string>()
  const findDefinition = (numId: string, isLinked = false): { id: string; definition: MarkupNode | undefined } => {
    const id = getAttribute(findChild(nums.get(numId), 'w:abstractNumId'), 'val') ?? ''
    const definition = definitions.get(id)
    const linked = findStyleNumId(getAttribute(findChild(definition, 'w:numStyleLink'), 'val') ?? '')
    return linked && !isLinked ? findDefinition(linked, true) : { id, definition }
  }
  return (numId, level) => {
    const { id, definition } = findDefinition(numId)
    const overrides = new Map(
      findNodes(nums.get(numId), 'w:lvlOverride').map((node) => [Number(getAttribute(node, 'ilvl')), node]),
    )
    const findLevel = (at: number): Level =>
      toLevel(
        findChild(overrides.get(at), 'w:lvl') ??
          findNodes(definition, 'w:lvl').find((node) => Number(getAttribute(node, 'ilvl')) === at),
      )
    const counts = counters.get(id) ?? []
    counters.set(id, counts)
    if (!started.has(numId)) {
      started.add(numId)
      for (const [at, node] of overrides) {
        const start = getAttribute(findChild(node, 'w:startOverride'), 'val')
        if (start !== undefined) counts[at] = Number(start) - 1
      }
    }
    for (let at = 0; at < level; at++) counts[at] ??= findLevel(at).start
    counts[level] = (counts[level] ?? findLevel(level).start - 1) + 1
    counts.length = level + 1
    const { format, text, isLegal } = findLevel(level)
    if (format === 'bullet') return '-'
    if (format === 'none') return text.replace(/%\d/g, '').trim()
    return text.replace(/%(\d)/g, (_, digit: string) => {
      const at = Number(digit) - 1
      return formatNumber(counts[at] ?? 1, isLegal && at < level ? 'decimal' : findLevel(at).format)
    })
  }
}

const toLevel = (node: MarkupNode | undefined): Level => ({
  format: getAttribute(findChild(node, 'w:numFmt'), 'val') ?? 'decimal',
  text: getAttribute(findChild(node, 'w:lvlText'), 'val') ?? '',
  start: Number(getAttribute(findChild(node, 'w:start'), 'val') ?? 1),
  isLegal: findChild(node, 'w:isLgl') !== undefined,
})
