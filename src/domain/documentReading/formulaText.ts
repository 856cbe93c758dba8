import { getAttribute, getText, findChild, type MarkupNode } from './markupNode.ts'
import { toRaisedText } from './raisedText.ts'

/** What a formula of MathML (`math`) or of Word (`m:oMath`) says, on one line: `(a+b)/2`, `x²`, `√(x)`, `∑_(i=1)^n`. */
export function toFormulaText(node: MarkupNode, depth = 0): string {
  if (node.nodeName === '#text') return node.value?.trim() ?? ''
  if (depth > MAX_DEPTH) return getText(node)
  const name = node.nodeName.replace(/^m:/, '')
  const children = node.childNodes?.filter(({ nodeName }) => !/Pr$|^annotation/.test(nodeName)) ?? []
  const parts = children
    .map((child) => toFormulaText(child, depth + 1))
    .filter((_, at) => children[at]?.nodeName !== '#text' || children.length === 1)
  const form = FORMS[name]
  return form
    ? form(parts, (property, fallback) => getProperty(node, `m:${name}Pr`, property) ?? fallback)
    : parts.join('')
}

const MAX_DEPTH = 100

type Form = (parts: string[], getOption: (property: string, fallback: string) => string) => string

const group = (text = ''): string => (/^(?:[\p{L}\p{N}.,]*|.|\(.*\))$/u.test(text) ? text : `(${text})`)
const raise = (base = '', low = '', high = ''): string => `${base}${toRaisedText(low, '_')}${toRaisedText(high, '^')}`
const divide: Form = ([top, bottom]) => `${group(top)}/${group(bottom)}`
const root = (index = '', base = ''): string => `${toRaisedText(index, '^')}√(${base})`
const line: Form = (cells) => cells.join(' ')
const lines: Form = (rows) => rows.join('; ')
const raiseHigh: Form = ([base, high]) => raise(base, '', high)
const raiseLow: Form = ([base, low]) => raise(base, low)
const raiseBoth: Form = ([base, low, high]) => raise(base, low, high)

const FORMS: Record<string, Form> = {
  mfrac: divide,
  f: divide,
  msup: raiseHigh,
  sSup: raiseHigh,
  mover: raiseHigh,
  limUpp: raiseHigh,
  msub: raiseLow,
  sSub: raiseLow,
  munder: raiseLow,
  limLow: raiseLow,
  msubsup: raiseBoth,
  sSubSup: raiseBoth,
  munderover: raiseBoth,
  sPre: ([low, high, base]) => `${raise('', low, high)}${base}`,
  msqrt: (parts) => root('', parts.join('')),
  mroot: ([base, index]) => root(index, base),
  rad: ([index, base]) => root(index, base),
  nary: ([low, high, base], getOption) => `${raise(getOption('chr', '∫'), low, high)} ${base}`,
  d: (parts, getOption) => getOption('begChr', '(') + parts.join(getOption('sepChr', '|')) + getOption('endChr', ')'),
  acc: (parts, getOption) => parts.join('') + getOption('chr', '\u0302'),
  func: ([name, argument]) => `${name} ${argument}`,
  mtr: line,
  mr: line,
  mtable: lines,
  m: lines,
  eqArr: lines,
}

const getProperty = (node: MarkupNode, properties: string, name: string): string | undefined =>
  getAttribute(findChild(findChild(node, properties), `m:${name}`), 'val')
