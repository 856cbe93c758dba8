import { IconFile, IconLink } from '@tabler/icons-react'
import { useState } from 'react'
import type { MessageFile } from '#domain/answer/answerParts.ts'
import { filePreviewPath } from '#contract/console/files/filePreview.ts'
import { callEndpoints } from '#contract/console/calls.ts'
import { formatBytes } from '#domain/metricFormat.ts'
import { optionalAppEndpoints } from '#contract/platform/optionalApps.ts'
import { useRead } from '../../../client/query.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { runMessages } from '../detail/messages.ts'
import { type FileEntry, getFileName, toFileEntries } from '../inputs/inputFiles.ts'
import type { Turn } from '../turn.ts'
import classes from './QuestionFiles.module.css'

export interface QuestionFilesProps {
  turn: TurnParts
  /** The key of the app, through which uploaded files are loaded; null if this console no longer has it. */
  app: string | null
}

/** The files that were sent with a question: name, picture and a way to save them. Nothing without files. */
export function QuestionFiles({ turn, app }: QuestionFilesProps) {
  const t = useMessages(runMessages)
  const files = listQuestionFiles(turn)
  if (files.length === 0) return null
  const { user } = turn.question
  const conversation = turn.answer.conversation_id ?? turn.question.conversation_id
  return (
    <ul className={classes.files} aria-label={t('questionFiles')}>
      {files.map((file, index) => (
        <li key={index}>
          {file.upload_file_id !== undefined && app && user ? (
            <UploadedFile file={file} file_id={file.upload_file_id} source={{ key: app, user, conversation }} />
          ) : (
            <>
              {file.url ? <IconLink size={13} aria-hidden /> : <IconFile size={13} aria-hidden />}
              <span className={classes.name}>{file.filename ?? getFileName(file)}</span>
            </>
          )}
          <code>
            {file.type} · {file.transfer_method}
          </code>
        </li>
      ))}
    </ul>
  )
}

interface UploadedFileProps {
  file: QuestionFile
  file_id: string
  source: { key: string; user: string; conversation: string | null }
}

function UploadedFile({ file, file_id, source }: UploadedFileProps) {
  const [isBroken, setBroken] = useState(false)
  const upload = useUpload(file.filename === null || file.size === undefined ? file_id : null)
  const name = file.filename ?? upload?.name ?? file_id
  const size = file.size ?? upload?.size
  return (
    <>
      {file.type === 'image' && !isBroken ? (
        <img
          className={classes.picture}
          src={filePreviewPath({ ...source, file_id })}
          alt={name}
          loading="lazy"
          onError={() => setBroken(true)}
        />
      ) : (
        <IconFile size={13} aria-hidden />
      )}
      <a
        className={classes.name}
        href={filePreviewPath({ ...source, file_id, download: name })}
        download={name}
        title={file_id}
      >
        {name}
      </a>
      {size === undefined ? null : <code>{formatBytes(size)}</code>}
    </>
  )
}

/** An upload by its call in the ledger; null while it loads, or if it was uploaded outside this console. */
function useUpload(file_id: string | null): { name?: string | undefined; size?: number | undefined } | null {
  const { data } = useRead(
    callEndpoints.listCalls,
    { query: { resource: file_id ?? '', entry: 'adjacent.uploadFile', include_bodies: 'true', limit: 1 } },
    { enabled: file_id !== null },
  )
  const upload = optionalAppEndpoints.uploadFile.reply.safeParse(data?.data[0]?.reply)
  return upload.success && file_id !== null
    ? { name: upload.data.name ?? undefined, size: upload.data.size ?? undefined }
    : null
}

/** A file that was sent with a question, with the name that the platform knows. */
interface QuestionFile extends FileEntry {
  filename: string | null
}

type TurnParts = Pick<Turn, 'question' | 'answer'>

export function listQuestionFiles({ question, answer }: TurnParts): QuestionFile[] {
  return toFileEntries(question.body.files).map((entry) => ({
    ...entry,
    filename: entry.name ?? answer.files.find((file) => isSameFile(file, entry))?.filename ?? null,
  }))
}

/** The files of an answer. Chatflows repeat the files of the question at the end of their stream. */
export function listAnswerFiles({ question, answer }: TurnParts): MessageFile[] {
  const sent = toFileEntries(question.body.files)
  return answer.files.filter((file) => file.belongs_to !== 'user' && !sent.some((entry) => isSameFile(file, entry)))
}

function isSameFile({ id, upload_file_id, url }: MessageFile, entry: FileEntry): boolean {
  if (entry.upload_file_id !== undefined) return entry.upload_file_id === (upload_file_id ?? id)
  return entry.url !== undefined && entry.url === url
}
