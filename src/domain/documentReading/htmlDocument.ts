import { parse } from 'parse5'
import { hasText } from '../chunking/cleanText.ts'
import { toFormulaText } from './formulaText.ts'
import { findNodes, getAttribute, getText, type MarkupNode } from './markupNode.ts'
import { type Element, h, toText } from './markupText.ts'
import type { ReadingLosses, ReadingLossKind } from './readingLoss.ts'

/** The readable text of a page, with its title. Executes and fetches nothing. */
export async function readHtml(html: string, losses: ReadingLosses): Promise<string> {
  const { tree, title } = toTree(parse(html) as MarkupNode, losses)
  const text = toTextInParts(tree)
  const isTitleShown = text === '' || title === '' || text.split('\n', 1)[0]?.includes(title)
  return isTitleShown ? text : `${title}\n\n${text}`
}

/** Blocks that are converted at once: conversion takes several times the memory of their elements. */
const MAX_BLOCKS = 1000
const BLOCK_ELEMENT = /^(?:p|div|h[1-6]|ul|ol|dl|pre|table|section|article|blockquote)$/

function toTextInParts(tree: Element): string {
  let container: Element = tree
  for (let inner = findOnlyElement(tree); inner; inner = findOnlyElement(inner)) container = inner
  if (container.children.length <= MAX_BLOCKS) return toText(tree)
  const parts = [h('div', [])]
  for (const child of container.children) {
    const isBlock = child.type === 'element' && BLOCK_ELEMENT.test(child.tagName)
    if (isBlock && (parts.at(-1)?.children.length ?? 0) >= MAX_BLOCKS) parts.push(h('div', []))
    parts.at(-1)?.children.push(child as Element)
  }
  return parts.map(toText).filter(Boolean).join('\n\n')
}

/** The only child, besides blanks. */
function findOnlyElement({ children }: Element): Element | null {
  const [only, ...more] = children.filter((child) => child.type !== 'text' || child.value.trim() !== '')
  return only?.type === 'element' && more.length === 0 ? only : null
}

const DROPPED_ELEMENTS = ['script', 'style', 'noscript', 'template', 'datalist', 'head', 'rp']
const STRUCK_ELEMENTS = ['del', 's', 'strike']
const EMBEDDED_ELEMENTS = ['iframe', 'object', 'embed', 'canvas', 'audio', 'video']
/** Controls, which are separated from each other. */
const CONTROL_ELEMENTS = ['button', 'input', 'label', 'legend', 'option', 'select', 'textarea']
/** Pages can be nested deeper than the call stack allows: below this depth, elements become siblings. */
const MAX_DEPTH = 200

/** The visible part of a page. With an explicit stack. */
function toTree(page: MarkupNode, losses: ReadingLosses): { tree: Element; title: string } {
  const tree: Element = h('div', [])
  let title = ''
  const stack: { node: MarkupNode; parent: Element; depth: number }[] = [{ node: page, parent: tree, depth: 0 }]
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { node, parent, depth } = next
    const { nodeName: name, childNodes = [] } = node
    if (name === 'head')
      title = getText(childNodes.find(({ nodeName }) => nodeName === 'title'))
        .replace(/\s+/g, ' ')
        .trim()
    if (DROPPED_ELEMENTS.includes(name) || name.startsWith('#comment')) continue
    const loss = findLoss(node)
    if (loss) {
      if (!loss.endsWith('_text') || hasText(getText(node))) losses.add(loss)
      continue
    }
    if (name === '#text' || name === 'math') {
      parent.children.push({ type: 'text', value: name === 'math' ? ` ${readMath(node)} ` : (node.value ?? '') })
      continue
    }
    let inner: Element = parent
    const [before, after] = name === 'rt' ? '()' : CONTROL_ELEMENTS.includes(name) ? '  ' : ''
    if (before && after) {
      parent.children.push({ type: 'text', value: before })
      stack.push({ node: { nodeName: '#text', value: after }, parent, depth })
    }
    if (!name.startsWith('#') && depth < MAX_DEPTH) {
      inner = toElement(node)
      parent.children.push(inner)
    }
    for (const child of childNodes.toReversed()) stack.push({ node: child, parent: inner, depth: depth + 1 })
    // A large page fits into memory only once.
    node.childNodes = []
  }
  return { tree, title }
}

/** The loss that omitting an element causes. */
function findLoss(node: MarkupNode): ReadingLossKind | null {
  const { nodeName: name } = node
  const style = getAttribute(node, 'style') ?? ''
  if (
    (getAttribute(node, 'hidden') ?? 'until-found') !== 'until-found' ||
    /\b(?:display\s*:\s*none|visibility\s*:\s*hidden)\b/i.test(style) ||
    (name === 'dialog' && getAttribute(node, 'open') === undefined)
  )
    return 'hidden_text'
  if (STRUCK_ELEMENTS.includes(name) || /text-decoration[\w-]*\s*:[^;]*line-through/i.test(style)) return 'struck_text'
  if (EMBEDDED_ELEMENTS.includes(name)) return 'embedded_object'
  return name === 'svg' || (name === 'img' && getAttribute(node, 'alt') === undefined) ? 'picture' : null
}

const TEXT_PROPERTIES = ['alt', 'colSpan', 'rowSpan', 'start', 'type', 'value']
const BOOLEAN_PROPERTIES = ['checked', 'disabled', 'multiple', 'reversed', 'selected']

function toElement({ nodeName, attrs = [] }: MarkupNode): Element {
  const properties: Element['properties'] = {}
  for (const { name, value } of attrs) {
    const property = TEXT_PROPERTIES.find((one) => one.toLowerCase() === name)
    if (property) properties[property] = value
    else if (name === 'class') properties['className'] = value.split(/\s+/)
    else if (BOOLEAN_PROPERTIES.includes(name)) properties[name] = true
  }
  return h(nodeName, [], properties)
}

/** In TeX if the page has it. */
function readMath(node: MarkupNode): string {
  const tex = findNodes(node, 'annotation').find((one) => getAttribute(one, 'encoding') === 'application/x-tex')
  return tex ? `$${getText(tex)}$` : toFormulaText(node)
}
