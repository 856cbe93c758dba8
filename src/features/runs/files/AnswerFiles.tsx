import { Button, Text } from '@mantine/core'
import { IconFile } from '@tabler/icons-react'
import { Suspense, useMemo } from 'react'
import {
  isPlatformFile,
  type KeptFile,
  keptFileEndpoints,
  linkedFilePath,
  MAX_FILE_NAME_CHARS,
  toLinkedFileUrl,
} from '#contract/console/files/linkedFile.ts'
import { workspaceEndpoints } from '#contract/console/workspaces.ts'
import { truncateText } from '#contract/truncatedText.ts'
import type { MessageFile } from '#domain/answer/answerParts.ts'
import { formatDateTime } from '#domain/dateFormat.ts'
import { formatBytes } from '#domain/metricFormat.ts'
import { useRead, useWrite } from '../../../client/query.ts'
import { usePermission } from '../../../client/usePermission.ts'
import { lazyWithPreload } from '../../../components/layout/lazyWithPreload.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { AnswerContext, type AnswerFileSource } from '../../../components/markdown/answerContext.ts'
import { toSafeUrl } from '../../../components/markdown/pipeline/sanitizeSchema.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { runMessages } from '../detail/messages.ts'
import { isTurnOver, type Turn } from '../turn.ts'
import classes from './QuestionFiles.module.css'

const LazyRemoteImage = lazyWithPreload(
  async () => (await import('../../../components/markdown/RemoteImage.tsx')).RemoteImage,
)

/**
 * How the pictures and files of an answer are loaded through the server. Null while the answer grows: the server gives
 * out what the stored answer names.
 */
export function useAnswerFileSource(turn: Turn, workspace: string | null): AnswerFileSource | null {
  const { run_id } = turn
  const workspaces = useRead(workspaceEndpoints.listWorkspaces, {}, { enabled: workspace !== null })
  const base_url = workspaces.data?.data.find(({ id }) => id === workspace)?.base_url ?? null
  const isStored = isTurnOver(turn) && turn.state !== 'unsent'
  return useMemo(() => {
    if (base_url === null || !isStored) return null
    return {
      toUrl: (given) => toLinkedFileUrl(given, base_url),
      isTrusted: (url) => isPlatformFile(url, base_url),
      toPath: (url, download) => linkedFilePath({ run_id, url, ...(download === undefined ? {} : { download }) }),
    }
  }, [base_url, isStored, run_id])
}

export interface AnswerFilesProps {
  run_id: string
  files: readonly MessageFile[]
  label: string
  /** Null where they cannot be loaded through the server: they are links then. */
  fileSource: AnswerFileSource | null
}

/**
 * The files of an answer: pictures, and the others with a way to save them. A file can be saved with its run, since
 * the platform's links expire.
 */
export function AnswerFiles({ run_id, files, label, fileSource }: AnswerFilesProps) {
  const t = useMessages(runMessages)
  const hasFiles = files.some(({ url }) => url !== null && fileSource?.toUrl(url))
  const { data: keptFiles } = useRead(keptFileEndpoints.listKeptFiles, { params: { run_id } }, { enabled: hasFiles })
  const canKeep = usePermission()(keptFileEndpoints.keepFile)
  // For people who may edit, the server also loads other files from hosts that are not the platform.
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
          // The link of a saved file works without the key of its app.
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

interface KeepFileProps {
  name: string
  /** Null if the run does not save the file. */
  kept: KeptFile | null
  /** Whether the person may keep and remove files. */
  canKeep: boolean
  isPending: boolean
  onKeep: () => void
  onRemove: (file_id: string) => void
}

/** Keeps a file of an answer with its run, or says who keeps it; nothing for those who may not. */
function KeepFile({ name, kept, canKeep, isPending, onKeep, onRemove }: KeepFileProps) {
  const t = useMessages(runMessages)
  const button = { size: 'compact-xs', variant: 'subtle', disabled: isPending } as const
  if (!kept)
    return canKeep ? (
      <Button {...button} title={t('keepFileWhy')} aria-label={t('keepFile', { name })} onClick={onKeep}>
        {t('keep')}
      </Button>
    ) : null
  const keptBy = t('keptBy', { person: kept.person ?? t('notGiven'), at: formatDateTime(kept.kept_at) })
  return (
    <>
      <Text span inherit fw={600} c="dimmed" title={keptBy}>
        {t('kept')}
      </Text>
      {canKeep ? (
        <Button {...button} color="gray" aria-label={t('removeKeptFile', { name })} onClick={() => onRemove(kept.id)}>
          {t('remove')}
        </Button>
      ) : null}
    </>
  )
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
