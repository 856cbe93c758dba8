import { useClipboard } from '@mantine/hooks'
import { type ComponentProps, type ReactNode, startTransition, useEffect, useState } from 'react'
import type { ExtraProps } from 'react-markdown'
import { useWords } from '../words.ts'
import { coloursOf } from './colours.ts'
import type { Piece } from './highlight.ts'
import { anchorsOf, type HastNode, textOf } from './hast.ts'
import classes from './Markdown.module.css'
import { markdownWords } from './messages.ts'
import { type TextPiece, toPieces } from './textPieces.ts'

/** Code above this many characters stays plain. */
const HIGHLIGHT_LIMIT = 50_000

/** A code block with its language and a copy button. Colours come once it has its last line. */
export function CodeBlock({ children, node }: ComponentProps<'pre'> & ExtraProps) {
  const t = useWords(markdownWords)
  const clipboard = useClipboard({ timeout: 2000 })
  const tree = node as HastNode
  const code = textOf(tree).replace(/\n$/, '')
  const language = languageOf(tree)
  const isMarked = isPlain(tree)
  const pieces = usePieces(code, isMarked ? '' : language)
  const drawCode = () => {
    if (!pieces && (isMarked || code.length <= HIGHLIGHT_LIMIT)) return children
    return (
      <code {...anchorsOf(tree.children?.[0] ?? tree)}>
        {pieces ? pieces.map(draw) : toPieces(code, { keepLines: true }).map(drawPiece)}
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

function usePieces(code: string, language: string): Piece[] | null {
  const [drawn, setDrawn] = useState<{ code: string; pieces: Piece[] | null } | null>(null)
  useEffect(() => {
    if (language === '' || code.length > HIGHLIGHT_LIMIT) return
    const leaving = new AbortController()
    void coloursOf(code, language, leaving.signal).then((pieces) => {
      if (!leaving.signal.aborted) startTransition(() => setDrawn({ code, pieces }))
    })
    return () => leaving.abort()
  }, [code, language])
  return drawn?.code === code ? drawn.pieces : null
}

const drawPiece = ({ text, from }: TextPiece): ReactNode => (
  <span key={from} className={classes.piece}>
    {text}
  </span>
)

function draw(piece: Piece, index: number): ReactNode {
  if (typeof piece === 'string') return piece
  return (
    <span key={index} data-scope={piece.scope.split('.')[0]}>
      {piece.pieces.map(draw)}
    </span>
  )
}

function languageOf(tree: HastNode): string {
  const names = tree.children?.[0]?.properties?.className
  const name = Array.isArray(names) ? String(names[0] ?? '') : ''
  return name.replace(/^language-/, '').toLowerCase()
}

/** The text ends inside this block, so it may still grow; or words of it have the marker, and colours would take it away. */
const isPlain = (node: HastNode): boolean =>
  node.properties?.dataEnd === true || node.tagName === 'mark' || (node.children ?? []).some(isPlain)
