import { findChild, getText, getVal, type MarkupNode } from './markupNode.ts'

const MAX_DEPTH = 100

/** A formula of MathML (`math`) or of Word (`m:oMath`) on one line: `(a+b)/2`, `x²`, `√(x)`, `∑_(i=1)^n`. */
export function toFormulaText(node: MarkupNode, depth = 0): string {
  if (node.nodeName === '#text') return node.value?.trim() ?? ''
  if (depth > MAX_DEPTH) return getText(node)
  const name = node.nodeName.replace(/^m:/, '')
  const children = node.childNodes?.filter(({ nodeName }) => !/Pr$|^annotation/.test(nodeName)) ?? []
  const parts = children
    .map((child) => toFormulaText(child, depth + 1))
    .filter((_, at) => children[at]?.nodeName !== '#text' || children.length === 1)
  const form = FORMS.find(([names]) => names.includes(name))?.[1] ?? ((all) => all.join(''))
  return form(parts, (property, usual) => getVal(findChild(node, `m:${name}Pr`), `m:${property}`) ?? usual)
}

type Form = (parts: string[], getOption: (property: string, usual: string) => string) => string

const group = (text = ''): string => (/^(?:[\p{L}\p{N}.,]*|.|\(.*\))$/u.test(text) ? text : `(${text})`)
const raise = (base = '', low = '', high = ''): string => `${base}${toRaisedText(low, '_')}${toRaisedText(high, '^')}`
const root = (index = '', base = ''): string => `${toRaisedText(index, '^')}√(${base})`

/** By the names of the elements, in MathML and in Word. */
const FORMS: [names: string[], form: Form][] = [
  [['mfrac', 'f'], ([top, bottom]) => `${group(top)}/${group(bottom)}`],
  [['msup', 'sSup', 'mover', 'limUpp'], ([base, high]) => raise(base, '', high)],
  [['msub', 'sSub', 'munder', 'limLow'], ([base, low]) => raise(base, low)],
  [['msubsup', 'sSubSup', 'munderover'], ([base, low, high]) => raise(base, low, high)],
  [['sPre'], ([low, high, base]) => `${raise('', low, high)}${base}`],
  [['msqrt'], (parts) => root('', parts.join(''))],
  [['mroot'], ([base, index]) => root(index, base)],
  [['rad'], ([index, base]) => root(index, base)],
  [['nary'], ([low, high, base], getOption) => `${raise(getOption('chr', '∫'), low, high)} ${base}`],
  [
    ['d'],
    (parts, getOption) => getOption('begChr', '(') + parts.join(getOption('sepChr', '|')) + getOption('endChr', ')'),
  ],
  [['acc'], (parts, getOption) => parts.join('') + getOption('chr', '\u0302')],
  [['func', 'mtr', 'mr'], (parts) => parts.join(' ')],
  [['mtable', 'm', 'eqArr'], (rows) => rows.join('; ')],
]

const RAISED_CHARACTERS = '0123456789+-−=()ni'
const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱ'
const SUBSCRIPTS = '₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎'

/** Raised (`^`) or lowered (`_`) text keeps its meaning: 10⁶, H₂O, x_max. The letters of 1st and ™ need no mark. */
export function toRaisedText(text: string, mark: '^' | '_'): string {
  const value = text.trim()
  const characters = mark === '^' ? SUPERSCRIPTS : SUBSCRIPTS
  const raised = [...value].map((character) => characters[RAISED_CHARACTERS.indexOf(character)] ?? '')
  if (raised.every((character) => character !== '')) return raised.join('')
  if (mark === '^' && /^\p{L}{2,3}$|^[^\p{L}\p{N}]*$/u.test(value)) return value
  return /^[\p{L}\p{N}]+$/u.test(value) ? mark + value : `${mark}(${value})`
}
