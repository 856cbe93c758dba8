import { findChild, findNodes, getAttribute, getVal, type MarkupNode } from './markupNode.ts'
import { formatNumber } from './numberFormat.ts'

/** The label of a paragraph that is numbered by this definition and level, counted in the order of the calls. */
export type Labeller = (numId: string, level: number) => string

/** Reads the numbering of a document. */
export function createLabeller(
  numbering: MarkupNode | undefined,
  findStyleNumId: (style: string) => string | undefined,
): Labeller {
  const find = (name: string, key: string, value: string) =>
    numbering?.childNodes?.find((node) => node.nodeName === name && getAttribute(node, key) === value)
  const counters = new Map<string, number[]>()
  const started = new Set<string>()
  const findDefinition = (numId: string, isLinked = false): { id: string; definition: MarkupNode | undefined } => {
    const id = getVal(find('w:num', 'numId', numId), 'w:abstractNumId') ?? ''
    const definition = find('w:abstractNum', 'abstractNumId', id)
    const linked = findStyleNumId(getVal(definition, 'w:numStyleLink') ?? '')
    return linked && !isLinked ? findDefinition(linked, true) : { id, definition }
  }
  return (numId, level) => {
    const { id, definition } = findDefinition(numId)
    const overrides = findNodes(find('w:num', 'numId', numId), 'w:lvlOverride')
    const isOf = (at: number) => (node: MarkupNode) => Number(getAttribute(node, 'ilvl')) === at
    const findLevel = (at: number) =>
      findChild(overrides.find(isOf(at)), 'w:lvl') ?? findNodes(definition, 'w:lvl').find(isOf(at))
    const getStart = (at: number) => Number(getVal(findLevel(at), 'w:start') ?? 1)
    const getFormat = (at: number) => getVal(findLevel(at), 'w:numFmt') ?? 'decimal'
    const counts = counters.get(id) ?? []
    counters.set(id, counts)
    for (const override of started.has(numId) ? [] : overrides) {
      const start = getVal(override, 'w:startOverride')
      if (start !== undefined) counts[Number(getAttribute(override, 'ilvl'))] = Number(start) - 1
    }
    started.add(numId)
    for (let at = 0; at < level; at++) counts[at] ??= getStart(at)
    counts[level] = (counts[level] ?? getStart(level) - 1) + 1
    counts.length = level + 1
    const text = getVal(findLevel(level), 'w:lvlText') ?? ''
    const isLegal = findChild(findLevel(level), 'w:isLgl') !== undefined
    if (getFormat(level) === 'bullet') return '-'
    if (getFormat(level) === 'none') return text.replace(/%\d/g, '').trim()
    return text.replace(/%(\d)/g, (_, digit: string) => {
      const at = Number(digit) - 1
      return formatNumber(counts[at] ?? 1, isLegal && at < level ? 'decimal' : getFormat(at))
    })
  }
}
