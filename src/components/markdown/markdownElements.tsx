import type { Components, ExtraProps } from 'react-markdown'
import { type ComponentProps, useContext } from 'react'
import { CodeBlock } from './CodeBlock.tsx'
import { NestedFold } from './FoldBlock.tsx'
import { FrameHighlight } from './FrameHighlight.tsx'
import { RemoteImage } from './RemoteImage.tsx'
import { useMessages } from '../i18n/useMessages.ts'
import { AnswerContext, LinkContext } from './answerContext.ts'
import { Formula } from './formula/Formula.tsx'
import classes from './MarkdownBlock.module.css'
import { markdownMessages } from './messages.ts'
import { getAnchorAttributes, getNodeText, type HastNode } from './pipeline/htmlTree.ts'
import { findHiddenAddress, toSafeUrl } from './pipeline/sanitizeSchema.ts'

/** The page and the turn use the headings above: those of an answer begin at level 3. */
export const PARTS: Components = {
  a: MarkdownLink,
  details: NestedFold,
  h1: 'h3',
  h2: 'h4',
  h3: 'h5',
  h4: 'h6',
  h5: 'h6',
  h6: 'h6',
  img: RemoteImage,
  mark: FrameHighlight,
  pre: CodeBlock,
  span: AnswerSpan,
  table: ScrollTable,
}

/** The spans that our plugins put into the tree: a formula, a citation, or the end of the text. */
function AnswerSpan({ node, ...props }: ComponentProps<'span'> & ExtraProps) {
  if ('data-formula' in props) return <Formula node={node as HastNode}>{props.children}</Formula>
  if ('data-together' in props)
    return (
      <span className={classes.together} {...getAnchorAttributes(node as HastNode)}>
        {props.children}
      </span>
    )
  if ('data-piece' in props) return <span {...getAnchorAttributes(node as HastNode)}>{props.children}</span>
  return <CitationSpan {...props} />
}

function CitationSpan(props: ComponentProps<'span'>) {
  const { caret, citations, onCite } = useContext(AnswerContext)
  const t = useMessages(markdownMessages)
  const cited = (props as Record<string, unknown>)['data-citation']
  if (cited === undefined) return caret
  const position = Number(cited)
  if (!citations?.includes(position)) return props.children
  return (
    <button
      type="button"
      className={classes.citation}
      aria-label={t('source', { position })}
      data-after={(props as Record<string, unknown>)['data-after'] as number | undefined}
      onClick={() => onCite?.(position)}
    >
      {position}
    </button>
  )
}

/** A link that shows its destination. An unsafe link is shown as text. */
function MarkdownLink({ href, title, children, node }: ComponentProps<'a'> & ExtraProps) {
  const url = toSafeUrl(href)
  if (!url) return <>{children}</>
  const addressHint = findHiddenAddress(url, getNodeText(node as HastNode))
  return (
    <a
      {...getAnchorAttributes(node as HastNode)}
      href={url.href}
      title={title ?? url.href}
      target="_blank"
      rel="noopener noreferrer nofollow"
    >
      <LinkContext value={true}>{children}</LinkContext>
      {addressHint && <span className={classes.host}> ({addressHint})</span>}
    </a>
  )
}

/** A table that scrolls inside itself; the page never scrolls sideways. */
function ScrollTable({ children, dir }: ComponentProps<'table'>) {
  const t = useMessages(markdownMessages)
  return (
    <div className={classes.wide} dir={dir} role="group" aria-label={t('table')} tabIndex={0}>
      <table>{children}</table>
    </div>
  )
}
