import { IconPhoto } from '@tabler/icons-react'
import { type ComponentProps, useContext } from 'react'
import { useWords } from '../words.ts'
import { LinkContext } from './context.ts'
import classes from './Markdown.module.css'
import { markdownWords } from './messages.ts'
import { safeUrl } from './safe.ts'

/** An image of an answer is never loaded: the request would tell a stranger who reads. It is shown as a link to it. */
export function RemoteImage({ src, alt }: ComponentProps<'img'>) {
  const t = useWords(markdownWords)
  const url = safeUrl(src)
  const isInLink = useContext(LinkContext)
  const words = t('image', { alt: alt || t('unnamed') })
  // Where the image itself is a link to elsewhere, that link stays.
  if (!url || isInLink) return <span className={classes.image}>{words}</span>
  return (
    <a className={classes.image} href={url.href} title={url.href} target="_blank" rel="noopener noreferrer nofollow">
      <IconPhoto size={14} aria-hidden />
      {words}
      <span className={classes.host}>{url.host}</span>
    </a>
  )
}
