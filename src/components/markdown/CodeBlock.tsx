import { useClipboard } from '@mantine/hooks'
import { type ComponentProps, type ReactNode, startTransition, useEffect, useState } from 'react'
import type { ExtraProps } from 'react-markdown'
import { useMessages } from '../i18n/useMessages.ts'
import { highlightInWorker } from './highlight/highlightWorkerClient.ts'
import type { CodeToken } from './highlight/highlightCode.ts'
import { getAnchorAttributes, type HastNode, getNodeText } from './pipeline/htmlTree.ts'
import classes from './MarkdownBlock.module.css'
import { markdownMessages } from './messages.ts'
import { type TextPiece, toPieces } from './textPieces.ts'

/** Longer code is not highlighted. */
const MAX_HIGHLIGHT_CHARS = 50_000

/** A code block with its language and a copy button. Highlighting starts once the block is complete. */
export function CodeBlock({ children, node }: ComponentProps<'pre'> & ExtraProps) {
  const t = useMessages(markdownMessages)
  const clipboard = useClipboard({ timeout: 2000 })
  const tree = node as HastNode
  const code = getNodeText(tree).replace(/\n$/, '')
  const language = findLanguage(tree)
  const isMarked = mayChange(tree)
  const pieces = useHighlightedCode(code, isMarked ? '' : language)
  const drawCode = () => {
    if (!pieces && (isMarked || code.length <= MAX_HIGHLIGHT_CHARS)) return children
    const element = tree.children?.[0] ?? tree
    return (
      <code {...getAnchorAttributes(element)}>
        {pieces ? renderTokens(pieces, element) : toPieces(code, { keepLines: true }).map(drawPiece)}
      </code>
    )
  }
  return (
    <div className={classes.code}>
      <div className={classes.codeHead}>
        <span>{language || t('code')}</span>
        <button type="button" className={classes.copy} onClick={() => clipboard.copy(code)}>
          <span aria-live="polite">{clipboard.copied ? t('copied') : t('copy')}</span>
        </button>
      </div>
      <pre tabIndex={0} aria-label={t('codeIn', { language: language || t('text') })} role="group">
        {drawCode()}
      </pre>
    </div>
  )
}

function useHighlightedCode(code: string, language: string): CodeToken[] | null {
  const [highlighted, setHighlighted] = useState<{ code: string; pieces: CodeToken[] | null } | null>(null)
  useEffect(() => {
    if (language === '' || code.length > MAX_HIGHLIGHT_CHARS) return
    const leaving = new AbortController()
    void highlightInWorker(code, language, leaving.signal).then((pieces) => {
      if (!leaving.signal.aborted) startTransition(() => setHighlighted({ code, pieces }))
    })
    return () => leaving.abort()
  }, [code, language])
  return highlighted?.code === code ? highlighted.pieces : null
}

const drawPiece = ({ text, from }: TextPiece): ReactNode => (
  <span key={from} className={classes.piece}>
    {text}
  </span>
)

/** In a list item or a quotation the lines of code are apart in the answer: each has its own offset. */
function renderTokens(tokens: readonly CodeToken[], { children = [] }: HastNode): ReactNode {
  if (children.length < 2) return tokens.map(renderCodeToken)
  let rest = tokens
  return children.map((line, index) => {
    const [taken, left] = splitTokens(rest, getNodeText(line).length)
    rest = left
    return (
      <span key={index} {...getAnchorAttributes(line)}>
        {taken.map(renderCodeToken)}
      </span>
    )
  })
}

/** Splits tokens after this many characters. */
function splitTokens(tokens: readonly CodeToken[], length: number): [CodeToken[], CodeToken[]] {
  const taken: CodeToken[] = []
  let left = length
  for (const [index, token] of tokens.entries()) {
    if (left === 0) return [taken, tokens.slice(index)]
    const size = countCharacters(token)
    if (size > left) {
      const following = tokens.slice(index + 1)
      if (typeof token === 'string')
        return [
          [...taken, token.slice(0, left)],
          [token.slice(left), ...following],
        ]
      const [first, second] = splitTokens(token.tokens, left)
      return [
        [...taken, { ...token, tokens: first }],
        [{ ...token, tokens: second }, ...following],
      ]
    }
    taken.push(token)
    left -= size
  }
  return [taken, []]
}

const countCharacters = (token: CodeToken): number =>
  typeof token === 'string' ? token.length : token.tokens.reduce((sum, inner) => sum + countCharacters(inner), 0)

function renderCodeToken(piece: CodeToken, index: number): ReactNode {
  if (typeof piece === 'string') return piece
  return (
    <span key={index} data-scope={piece.scope.split('.')[0]}>
      {piece.tokens.map(renderCodeToken)}
    </span>
  )
}

function findLanguage(tree: HastNode): string {
  const names = tree.children?.[0]?.properties?.className
  const name = Array.isArray(names) ? String(names[0] ?? '') : ''
  return name.replace(/^language-/, '').toLowerCase()
}

/** The block may still grow, or contains highlighted text, which syntax highlighting would replace. */
const mayChange = (node: HastNode): boolean =>
  node.properties?.dataEnd === true || node.tagName === 'mark' || (node.children ?? []).some(mayChange)
