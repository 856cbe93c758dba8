import { IconPhoto } from '@tabler/icons-react'
import { type ComponentProps, useContext, useState } from 'react'
import { useMessages } from '../i18n/useMessages.ts'
import { AnswerContext, LinkContext } from './answerContext.ts'
import classes from './MarkdownBlock.module.css'
import { markdownMessages } from './messages.ts'
import { toSafeUrl } from './pipeline/sanitizeSchema.ts'

/**
 * A picture in an answer. The browser never loads it from another host: our server does, at once if it is a file of
 * the platform, else after a click, because the URL may carry parts of the conversation to a third party.
 */
export function RemoteImage({ src, alt }: Pick<ComponentProps<'img'>, 'src' | 'alt'>) {
  const t = useMessages(markdownMessages)
  const { fileSource } = useContext(AnswerContext)
  const isInLink = useContext(LinkContext)
  const fileUrl = (src && fileSource?.toUrl(src)) || null
  const url = fileUrl ?? toSafeUrl(src)
  const isOwn = fileUrl !== null && fileSource?.isTrusted(fileUrl) === true
  const [isWanted, setWanted] = useState(false)
  const [isBroken, setBroken] = useState(false)
  const label = t('image', { alt: alt || t('untitled') })
  const path = src && fileUrl && fileSource ? fileSource.toPath(src) : null
  if (url && path !== null && (isOwn || isWanted) && !isBroken) {
    const picture = (
      <img
        className={classes.picture}
        src={path}
        alt={alt || t('untitled')}
        loading="lazy"
        onError={() => setBroken(true)}
      />
    )
    if (isInLink) return picture
    return (
      <a
        className={classes.pictureLink}
        href={path}
        title={url.href}
        target="_blank"
        rel="noopener noreferrer nofollow"
      >
        {picture}
      </a>
    )
  }
  // If the image is inside a link, that link stays.
  if (!url || isInLink) return <span className={classes.image}>{label}</span>
  return (
    <span className={classes.image}>
      <a href={url.href} title={url.href} target="_blank" rel="noopener noreferrer nofollow">
        <IconPhoto size={14} aria-hidden />
        {label}
        <span className={classes.host}>{url.host}</span>
      </a>
      {isBroken ? <span className={classes.host}>{t('imageNotLoaded')}</span> : null}
      {path !== null && !isOwn && !isBroken ? (
        <button
          type="button"
          className={classes.render}
          title={t('loadImageWhy', { host: url.host })}
          onClick={() => setWanted(true)}
        >
          {t('loadImage')}
        </button>
      ) : null}
    </span>
  )
}
