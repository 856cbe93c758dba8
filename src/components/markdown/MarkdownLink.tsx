import type { ComponentProps } from 'react'
import type { ExtraProps } from 'react-markdown'
import { LinkContext } from './answerContext.ts'
import { getAnchorAttributes, type HastNode, getNodeText } from './pipeline/htmlTree.ts'
import classes from './MarkdownBlock.module.css'
import { findHiddenAddress, toSafeUrl } from './pipeline/sanitizeSchema.ts'

/** A link that shows its destination. An unsafe link is shown as text. */
export function MarkdownLink({ href, title, children, node }: ComponentProps<'a'> & ExtraProps) {
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
