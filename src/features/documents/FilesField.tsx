import '@mantine/dropzone/styles.css'
import { ActionIcon, Button, Progress } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import { IconUpload, IconX } from '@tabler/icons-react'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { useWords } from '../../ui/words.ts'
import classes from './Files.module.css'
import { extensionOf, KNOWN, sizeOf, USUAL_LIMIT } from './files.ts'
import { documentsWords } from './messages.ts'
import type { Upload, Uploads } from './useUploads.ts'

/** Where files are dropped or chosen, and each of them on its way. */
export function FilesField({ uploads, isSingle = false }: { uploads: Uploads; isSingle?: boolean }) {
  const t = useWords(documentsWords)
  return (
    <div className={classes.files}>
      <Dropzone
        onDrop={(files: File[]) => uploads.add(files)}
        multiple={!isSingle}
        disabled={isSingle && uploads.isBusy}
        inputProps={{ 'aria-label': t(isSingle ? 'dropOne' : 'dropMany') }}
        className={classes.drop}
      >
        <IconUpload size={18} aria-hidden="true" />
        <span>{t(isSingle ? 'dropOne' : 'dropMany')}</span>
        <small>{t('dropHelp', { kinds: KNOWN.join(', '), limit: sizeOf(USUAL_LIMIT) })}</small>
      </Dropzone>
      {uploads.uploads.length > 0 ? (
        <ul className={classes.list} aria-label={t('files')}>
          {uploads.uploads.map((upload) => (
            <FileRow key={upload.id} upload={upload} uploads={uploads} />
          ))}
        </ul>
      ) : null}
    </div>
  )
}

const WORDS = {
  held: 'not sent',
  ready: 'ready',
  waiting: 'waiting',
  sending: 'sending',
  done: 'completed',
  failed: 'failed',
  cancelled: 'stopped',
}

function FileRow({ upload, uploads }: { upload: Upload; uploads: Uploads }) {
  const t = useWords(documentsWords)
  const { id, file, state, complaint, sent, total, problem } = upload
  const isUnder = state === 'sending' || state === 'waiting'
  // All bytes have left, and the platform has not answered yet.
  const isRead = state === 'sending' && sent >= total && total > 0
  return (
    <li>
      <div className={classes.row}>
        <b>{file.name}</b>
        <span>{sizeOf(file.size)}</span>
        <StateBadge word={state === 'ready' ? 'queued' : WORDS[state]} plain={state === 'done'} />
        {isUnder ? (
          <Button variant="default" size="compact-xs" onClick={() => uploads.cancel(id)}>
            {t('cancelUpload')}
          </Button>
        ) : null}
        {state === 'held' && complaint !== 'empty' ? (
          <Button variant="default" size="compact-xs" onClick={() => uploads.start(id)}>
            {t('sendAnyway')}
          </Button>
        ) : null}
        {state === 'failed' || state === 'cancelled' ? (
          <Button variant="default" size="compact-xs" onClick={() => uploads.start(id)}>
            {t('sendAgain')}
          </Button>
        ) : null}
        {isUnder ? null : (
          <ActionIcon
            size={24}
            className={classes.out}
            aria-label={t('takeOut', { name: file.name })}
            onClick={() => uploads.remove(id)}
          >
            <IconX size={14} />
          </ActionIcon>
        )}
      </div>
      {complaint && state === 'held' ? (
        <p className={classes.complaint}>
          {t(`complaint.${complaint}`, {
            extension: extensionOf(file.name) || t('noExtension'),
            limit: sizeOf(USUAL_LIMIT),
          })}
        </p>
      ) : null}
      {state === 'sending' ? (
        <div className={classes.progress}>
          <Progress
            value={total > 0 ? (sent / total) * 100 : 0}
            aria-label={t('uploading', { name: file.name })}
            aria-valuetext={t('bytes', { sent: sizeOf(sent), total: sizeOf(total) })}
          />
          <span>{isRead ? t('bytesSent') : t('bytes', { sent: sizeOf(sent), total: sizeOf(total) })}</span>
        </div>
      ) : null}
      {state === 'cancelled' ? <p className={classes.note}>{t('cancelledNote')}</p> : null}
      {problem ? <ProblemNote problem={problem} what={t('sendWhat', { name: file.name })} /> : null}
    </li>
  )
}
