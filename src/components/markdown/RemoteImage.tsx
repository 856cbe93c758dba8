import { IconPhoto } from '@tabler/icons-react'
import { type ComponentProps, useContext } from 'react'
import { useMessages } from '../i18n/useMessages.ts'
import { LinkContext } from './answerContext.ts'
import classes from './MarkdownBlock.module.css'
import { markdownMessages } from './messages.ts'
import { toSafeUrl } from './pipeline/sanitizeSchema.ts'

/** Images are never loaded: the request would reveal the reader to a third party. A link replaces the image. */
export function RemoteImage({ src, alt }: ComponentProps<'img'>) {
  const t = useMessages(markdownMessages)
  const url = toSafeUrl(src)
  const isInLink = useContext(LinkContext)
  const words = t('image', { alt: alt || t('untitled') })
  // If the image is inside a link, that link stays.
  if (!url || isInLink) return <span className={classes.image}>{words}</span>
  return (
    <a className={classes.image} href={url.href} title={url.href} target="_blank" rel="noopener noreferrer nofollow">
      <IconPhoto size={14} aria-hidden />
      {words}
      <span className={classes.host}>{url.host}</span>
    </a>
  )
}
