import type { CompileContext, Extension as TreeExtension } from 'mdast-util-from-markdown'
import type { Code, Construct, Extension, State, Token } from 'micromark-util-types'
import { elementNode, type HastNode, getNodeText } from './htmlTree.ts'

/** Longer formulas, and those after the maximum in one block, stay text. */
export const MAX_FORMULA_CHARS = 2_000
const MAX_FORMULAS = 500

/** The first dollar that follows must end it. */
const DOLLAR = /\$(?! )(?:\\[^]|[^\\$\n\r])+?(?<!\s)\$(?!\$|(?!(?:st|nd|rd|th)\b)[A-Za-z0-9])/y
const SPACED_DOLLAR = /\$[ \t](?:\\[^]|[^\\$\n\r])+?[ \t]\$(?![$A-Za-z0-9])/y
const DOUBLE_DOLLAR = /\$\$(?!\$)(?:\\[^]|[^\\$]|\$(?!\$))+?\$\$(?!\$)/y
/** A formula in brackets ends before the next one begins, so that a missing end costs linear time. */
const BRACKETS = /\\\((?:\\[^()]|[^\\])+?\\\)|\\\[(?:\\[^[\]]|[^\\])+?\\\]/y

/** The text from `start` that a pattern matches, if it is not too long; the patterns are sticky. */
function matchAt(pattern: RegExp, text: string, start: number): string | null {
  pattern.lastIndex = start
  const found = pattern.exec(text)?.[0] ?? null
  return found && found.length <= MAX_FORMULA_CHARS ? found : null
}

/** The formula within a paragraph that begins at this offset, its delimiters included. */
function matchInline(text: string, start: number): string | null {
  if (text.charAt(start) === '\\') return matchAt(BRACKETS, text, start)
  const isAfterWord = /[A-Za-z0-9]/.test(text.charAt(start - 1))
  const found = matchAt(DOUBLE_DOLLAR, text, start) ?? matchAt(DOLLAR, text, start)
  if (found) return isFormula(toTex(found).trim(), isAfterWord) ? found : null
  const spaced = matchAt(SPACED_DOLLAR, text, start)
  return spaced && isSpacedFormula(toTex(spaced)) ? spaced : null
}

/** The display formula of several lines that begins at this offset. */
function matchBlock(text: string, start: number): string | null {
  const isDollar = text.charAt(start) === '$'
  const found = text.startsWith('\\(', start) ? null : matchAt(isDollar ? DOUBLE_DOLLAR : BRACKETS, text, start)
  if (!found || !/[\r\n]/.test(found)) return null
  const tex = toTex(found)
  return !isDollar || /^[ \t]*[\r\n]/.test(tex) || /[\\^_={}]/.test(tex) ? found : null
}

export const toTex = (source: string): string => source.replace(/^(?:\$\$?|\\[([])|(?:\$\$?|\\[)\]])$/g, '')

/** A command of LaTeX or an exponent: nothing but formulas has them. */
const LATEX_PATTERN = /\\[A-Za-z,;!{}|]|\^/
/** A currency, or a number in front of a word, is a price; words with `_` are the name of a variable. */
const PRICE_PATTERN = /\p{Sc}|^\d[\d.,]*[kKmM]?(?![\w.,(])[^]*[A-Za-z]{2}|[A-Za-z]{2}_[A-Za-z]{2}/u
const PROSE_PATTERN = /[A-Za-z]{2}[,;:]? [A-Za-z]{2}/
const NUMBER_PATTERN = /^\d[\d.,]*$/
/** Letters, numbers and operators without a word. */
const TERM_PATTERN = /^(?=.*[A-Za-z])(?!.*(?:[A-Za-z]{3}|[ (][A-Za-z]{2}))[\w(|+-][\w+\-*/<>()|,.!' ]{0,40}$/

function isFormula(tex: string, isAfterWord: boolean): boolean {
  if (LATEX_PATTERN.test(tex)) return true
  if (isAfterWord || PRICE_PATTERN.test(tex) || PROSE_PATTERN.test(tex)) return false
  return /[_={}]/.test(tex) || NUMBER_PATTERN.test(tex) || TERM_PATTERN.test(tex)
}

const isSpacedFormula = (tex: string): boolean =>
  LATEX_PATTERN.test(tex) && !/[A-Za-z]{3}/.test(tex.replace(/\\[A-Za-z]+|\{[^{}]*\}/g, ''))

/** A line that may begin a display formula of several lines. */
const BLOCK_FORMULA_PATTERN = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(?=\$\$|\\\[)/

/**
 * The end of a display formula that begins in this line and continues in others: null if there is none, 'unknown'
 * until the deciding text has arrived.
 */
export function findBlockFormulaEnd(text: string, line: { content: string; start: number }): number | 'unknown' | null {
  const opening = BLOCK_FORMULA_PATTERN.exec(line.content)
  if (!opening) return null
  const start = line.start + opening[0].length
  const closing = text.indexOf(text.charAt(start) === '$' ? '$$' : '\\]', start + 2)
  const isComplete = closing >= 0 && /[\r\n]/.test(text.slice(closing, closing + MAX_FORMULA_CHARS))
  if (!isComplete && text.length - start < MAX_FORMULA_CHARS) return 'unknown'
  const found = matchBlock(text, start)
  return found === null ? null : start + found.length
}

const isLineEnding = (code: Code): boolean => code !== null && code < -2

declare module 'micromark-util-types' {
  interface TokenTypeMap {
    formula: 'formula'
    blockFormula: 'blockFormula'
    formulaText: 'formulaText'
  }
}

/** Formulas for micromark: `$…$`, `$$…$$`, `\(…\)` and `\[…\]`. `text` is what will be parsed. */
export function formulaSyntax(text: string): Extension {
  let count = 0
  const createConstruct = (isBlock: boolean, match: typeof matchInline): Construct => ({
    name: 'formula',
    concrete: isBlock,
    tokenize(effects, ok, nok) {
      const { now, parser, interrupt } = this
      let end = 0
      const start: State = (code) => {
        const { offset } = now()
        const found = count < MAX_FORMULAS ? match(text, offset) : null
        if (!found) return nok(code)
        if (interrupt) return ok(code)
        end = offset + found.length
        if (isBlock) effects.enter('blockFormula')
        effects.enter('formula')
        return inside(code)
      }
      const inside: State = (code) => {
        if (now().offset >= end) {
          count++
          effects.exit('formula')
          return isBlock ? afterBlock(code) : ok(code)
        }
        if (isLineEnding(code)) {
          effects.enter('lineEnding')
          effects.consume(code)
          effects.exit('lineEnding')
          return nextLine
        }
        effects.enter('formulaText')
        return insideText(code)
      }
      const insideText: State = (code) => {
        if (code !== null && !isLineEnding(code) && now().offset < end) {
          effects.consume(code)
          return insideText
        }
        effects.exit('formulaText')
        return code === null && now().offset < end ? nok(code) : inside(code)
      }
      const nextLine: State = (code) => {
        // A lazy line is outside the list item or the quotation.
        if (code === null || (isBlock && parser.lazy[now().line])) return nok(code)
        return inside(code)
      }
      const afterBlock: State = (code) => {
        if (code !== null && !isLineEnding(code)) {
          effects.enter('chunkText', { contentType: 'text' })
          return insideRest(code)
        }
        effects.exit('blockFormula')
        return ok(code)
      }
      const insideRest: State = (code) => {
        if (code !== null && !isLineEnding(code)) {
          effects.consume(code)
          return insideRest
        }
        effects.exit('chunkText')
        return afterBlock(code)
      }
      return start
    },
  })
  const inline = createConstruct(false, matchInline)
  const block = createConstruct(true, matchBlock)
  return { text: { 36: inline, 92: inline }, flow: { 36: block, 92: block } }
}

/** A span of each formula, with its source as text. */
export const formulaTree: TreeExtension = {
  enter: {
    formula(token) {
      enterFormula(this, token)
    },
    blockFormula(token) {
      this.enter({ type: 'paragraph', children: [] }, token)
    },
  },
  exit: {
    formula(token) {
      this.exit(token)
    },
    blockFormula(token) {
      this.exit(token)
    },
  },
}

function enterFormula(context: CompileContext, token: Token): void {
  const source = context.sliceSerialize(token)
  const position = { start: toPoint(token.start), end: toPoint(token.end) }
  const span = {
    type: 'formula',
    data: {
      hName: 'span',
      hProperties: toFormulaProperties(toTex(source), /^(?:\$\$|\\\[)/.test(source)),
      hChildren: [{ type: 'text', value: source, position }],
    },
  }
  context.enter(span as never, token)
}

const toPoint = ({ line, column, offset }: Token['start']) => ({ line, column, offset })

/** LaTeX has no empty lines in a formula: they are line breaks. */
const toFormulaProperties = (tex: string, isDisplay: boolean) => ({
  dataFormula: /\\\\|\\begin/.test(tex) ? tex : tex.trim().replace(/(?:\r?\n[ \t]*){2,}/g, ' \\\\ '),
  dataDisplay: isDisplay,
})

/** Code of the language `math` is a formula, and so is a display formula that is indented too deep in a list. */
export const rehypeFormulaFences = (text: string) => () => (tree: HastNode) => replaceCode(tree, text)

function replaceCode(parent: HastNode, text: string): void {
  parent.children = parent.children?.map((child) => {
    const code = child.tagName === 'pre' ? child.children?.[0] : undefined
    if (code && isFormulaCode(code, parent, text.charAt(child.position?.start.offset ?? 0)))
      return elementNode('p', [
        elementNode('span', code.children ?? [], toFormulaProperties(toTex(getNodeText(code).trim()), true)),
      ])
    replaceCode(child, text)
    return child
  })
}

function isFormulaCode(code: HastNode, parent: HastNode, firstCharacter: string): boolean {
  const tex = getNodeText(code)
  if (tex.length > MAX_FORMULA_CHARS) return false
  if (String(code.properties?.className) === 'language-math') return true
  const isIndented = parent.tagName === 'li' && !/[`~]/.test(firstCharacter)
  return isIndented && /^\s*(?:\$\$[^$]+\$\$|\\\[[^]+\\\])\s*$/.test(tex)
}
