import type { ComponentProps } from 'react'
import type { ExtraProps } from 'react-markdown'
import { LinkContext } from './context.ts'
import { anchorsOf, type HastNode, textOf } from './hast.ts'
import classes from './Markdown.module.css'
import { hiddenAddress, safeUrl } from './safe.ts'

/** A link that says where it leads. One that may not lead anywhere is shown as its words. */
export function Link({ href, title, children, node }: ComponentProps<'a'> & ExtraProps) {
  const url = safeUrl(href)
  if (!url) return children
  const hidden = hiddenAddress(url, textOf(node as HastNode))
  return (
    <a
      {...anchorsOf(node as HastNode)}
      href={url.href}
      title={title ?? url.href}
      target="_blank"
      rel="noopener noreferrer nofollow"
    >
      <LinkContext value={true}>{children}</LinkContext>
      {hidden && <span className={classes.host}> ({hidden})</span>}
    </a>
  )
}
