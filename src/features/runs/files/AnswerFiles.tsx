import { IconFile } from '@tabler/icons-react'
import { Suspense } from 'react'
import { MAX_FILE_NAME_CHARS, keptFileEndpoints } from '#contract/console/files/linkedFile.ts'
import type { MessageFile } from '#domain/answer/answerParts.ts'
import { formatBytes } from '#domain/metricFormat.ts'
import { useRead, useWrite } from '../../../client/query.ts'
import { usePermission } from '../../../client/usePermission.ts'
import { lazyWithPreload } from '../../../components/layout/lazyWithPreload.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { AnswerContext, type AnswerFileSource } from '../../../components/markdown/answerContext.ts'
import { toSafeUrl } from '../../../components/markdown/pipeline/sanitizeSchema.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { runMessages } from '../detail/messages.ts'
import { KeepFile } from './KeepFile.tsx'
import classes from './QuestionFiles.module.css'
import { truncateText } from '#contract/truncatedText.ts'

const LazyRemoteImage = lazyWithPreload(
  async () => (await import('../../../components/markdown/RemoteImage.tsx')).RemoteImage,
)

export interface AnswerFilesProps {
  run_id: string
  files: readonly MessageFile[]
  label: string
  /** Null where they cannot be loaded through the server: they are links then. */
  fileSource: AnswerFileSource | null
}

/**
 * The files of an answer: pictures, and the others with a way to save them. A file can be kept with its run, since the
 * platform's links expire.
 */
export function AnswerFiles({ run_id, files, label, fileSource }: AnswerFilesProps) {
  const t = useMessages(runMessages)
  const hasFiles = files.some(({ url }) => url !== null && fileSource?.toUrl(url))
  const { data: keptFiles } = useRead(keptFileEndpoints.listKeptFiles, { params: { run_id } }, { enabled: hasFiles })
  const canKeep = usePermission()(keptFileEndpoints.keepFile)
  // The server loads other files from hosts that are no platform for those who may edit.
  const canEdit = usePermission()({ permission: 'edit' })
  const keep = useWrite(keptFileEndpoints.keepFile)
  const remove = useWrite(keptFileEndpoints.deleteKeptFile)
  if (files.length === 0) return null
  const problem = keep.error?.problem ?? remove.error?.problem
  return (
    <section aria-label={label}>
      <ul className={classes.files} aria-label={label}>
        {files.map((file, index) => {
          const { id, url, type, mime_type, filename } = file
          const fileUrl = url === null ? null : (fileSource?.toUrl(url) ?? null)
          const kept = keptFiles?.data.find((one) => one.url === fileUrl?.href) ?? null
          const name = getName(file)
          const size = kept?.bytes ?? file.size
          // The link of a kept file is known without the key of its app.
          const isLoadable =
            kept !== null || isPicture(file) || canEdit || (fileUrl !== null && fileSource?.isTrusted(fileUrl) === true)
          const path =
            url === null || !fileUrl || !fileSource || !isLoadable ? null : fileSource.toPath(kept?.url ?? url, name)
          return (
            <li key={id ?? url ?? index} title={id ?? undefined}>
              {isPicture(file) && url !== null ? (
                <AnswerContext value={{ caret: null, citations: undefined, onCite: undefined, fileSource }}>
                  <Suspense>
                    <LazyRemoteImage src={kept?.url ?? url} alt={filename ?? ''} />
                  </Suspense>
                </AnswerContext>
              ) : (
                <IconFile size={13} aria-hidden />
              )}
              <FileName name={name} url={url} path={path} />
              <code>
                {[mime_type ?? type, size === undefined ? null : formatBytes(size)].filter(Boolean).join(' · ')}
              </code>
              {path !== null && url !== null && keptFiles ? (
                <KeepFile
                  name={name}
                  kept={kept}
                  canKeep={canKeep}
                  isPending={keep.isPending || remove.isPending}
                  onKeep={() => keep.mutate({ params: { run_id }, body: { url, name } })}
                  onRemove={(file_id) => remove.mutate({ params: { run_id, file_id } })}
                />
              ) : null}
            </li>
          )
        })}
      </ul>
      {problem ? (
        <ProblemAlert problem={problem} action={t(keep.error ? 'keepFileAction' : 'removeKeptFileAction')} />
      ) : null}
    </section>
  )

  function getName({ url, filename, id }: MessageFile): string {
    const name = filename ?? (url === null ? null : getLastPart(url)) ?? id ?? t('notGiven')
    return truncateText(name, MAX_FILE_NAME_CHARS)
  }
}

function FileName({ name, url, path }: { name: string; url: string | null; path: string | null }) {
  const target = toSafeUrl(url ?? undefined)
  if (path !== null)
    return (
      <a className={classes.name} href={path} download={name} title={url ?? undefined} dir="auto">
        {name}
      </a>
    )
  if (!target)
    return (
      <span className={classes.name} dir="auto">
        {name}
      </span>
    )
  return (
    <a
      className={classes.name}
      href={target.href}
      title={target.href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      dir="auto"
    >
      {name}
    </a>
  )
}

const isPicture = ({ type, mime_type }: MessageFile): boolean => type === 'image' || /^image\//.test(mime_type ?? '')

/** The last part of the path of a URL, null without one. */
const getLastPart = (url: string): string | null =>
  /([^/?#]+)(?:[?#]|$)/.exec(url.replace(/^https?:\/\/[^/]*/i, ''))?.[1] ?? null
