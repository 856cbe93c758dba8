import { IconFile } from '@tabler/icons-react'
import { Suspense } from 'react'
import type { MessageFile } from '#domain/answer/answerParts.ts'
import { lazyWithPreload } from '../../../components/layout/lazyWithPreload.tsx'
import { AnswerContext, type AnswerFileSource } from '../../../components/markdown/answerContext.ts'
import { toSafeUrl } from '../../../components/markdown/pipeline/sanitizeSchema.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { runMessages } from '../detail/messages.ts'
import classes from './QuestionFiles.module.css'

const LazyRemoteImage = lazyWithPreload(
  async () => (await import('../../../components/markdown/RemoteImage.tsx')).RemoteImage,
)

export interface AnswerFilesProps {
  files: readonly MessageFile[]
  /** Null where they cannot be loaded through the server: they are links then. */
  fileSource: AnswerFileSource | null
}

/** The files of an answer: pictures, and the others with a way to save them. */
export function AnswerFiles({ files, fileSource }: AnswerFilesProps) {
  const t = useMessages(runMessages)
  if (files.length === 0) return null
  return (
    <ul className={classes.files} aria-label={t('files')}>
      {files.map((file, index) => (
        <li key={file.id ?? index} title={file.id ?? undefined}>
          {isPicture(file) && file.url !== null ? (
            <AnswerContext value={{ caret: null, citations: undefined, onCite: undefined, fileSource }}>
              <Suspense>
                <LazyRemoteImage src={file.url} alt={file.filename ?? ''} />
              </Suspense>
            </AnswerContext>
          ) : (
            <IconFile size={13} aria-hidden />
          )}
          <FileName file={file} fileSource={fileSource} />
          <code>{[file.mime_type ?? file.type, formatSize(file.size)].filter(Boolean).join(' · ')}</code>
        </li>
      ))}
    </ul>
  )

  function formatSize(bytes: number | undefined): string | null {
    return bytes === undefined ? null : t('kilobytes', { size: Math.max(1, Math.round(bytes / 1024)) })
  }
}

function FileName({ file, fileSource }: { file: MessageFile; fileSource: AnswerFileSource | null }) {
  const t = useMessages(runMessages)
  const { url, filename, id } = file
  const target = toSafeUrl(url ?? undefined)
  const name = filename ?? (url === null ? null : getLastPart(url)) ?? id ?? t('notGiven')
  const path = url !== null && fileSource?.toUrl(url) ? fileSource.toPath(url, name) : null
  if (path !== null)
    return (
      <a className={classes.name} href={path} download={name} title={url ?? undefined}>
        {name}
      </a>
    )
  if (!target) return <span className={classes.name}>{name}</span>
  return (
    <a className={classes.name} href={target.href} target="_blank" rel="noopener noreferrer nofollow">
      {name}
    </a>
  )
}

const isPicture = ({ type, mime_type }: MessageFile): boolean => type === 'image' || /^image\//.test(mime_type ?? '')

/** The last part of the path of a URL, null without one. */
const getLastPart = (url: string): string | null =>
  /([^/?#]+)(?:[?#]|$)/.exec(url.replace(/^https?:\/\/[^/]*/i, ''))?.[1] ?? null
