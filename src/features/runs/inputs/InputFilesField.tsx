import { ActionIcon, Button, FileButton } from '@mantine/core'
import { IconFile, IconLink, IconUpload, IconX } from '@tabler/icons-react'
import { type KeyboardEvent, useContext, useEffect, useId, useRef, useState } from 'react'
import { formatBytes } from '#domain/metricFormat.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { formatFieldError } from './formatFieldError.ts'
import classes from './InputFilesField.module.css'
import {
  FILE_TYPES,
  type FileEntry,
  type FileRule,
  findFileError,
  findFilesError,
  getFileName,
  guessFileType,
} from './inputFiles.ts'
import { inputMessages } from './messages.ts'
import { PendingUploadsContext } from './pendingUploads.ts'
import { type UploadTarget, useFileUpload } from './useFileUpload.ts'

export interface InputFilesFieldProps {
  /** The field's name in error messages. */
  label: string
  rule: FileRule
  entries: readonly FileEntry[]
  onEntries: (entries: FileEntry[]) => void
  /** Null if the platform does not support uploads. */
  upload: UploadTarget | null
}

/** The files of a variable, or of the message: by URL, or by upload if the platform supports it. */
export function InputFilesField({ label, rule, entries, onEntries, upload }: InputFilesFieldProps) {
  const t = useMessages(inputMessages)
  const [refused, setRefused] = useState<string | null>(null)
  // Two uploads may finish before the next render: append to the latest entries.
  const latestEntries = useRef(entries)
  useEffect(() => {
    latestEntries.current = entries
  }, [entries])
  const add = (entry: FileEntry) => {
    const now = rule.maxFiles === 1 ? [entry] : [...latestEntries.current, entry]
    latestEntries.current = now
    onEntries(now)
  }
  const uploads = useFileUpload(upload, rule, add)
  const count = uploads.pendingUploads.length
  const notePendingUploads = useContext(PendingUploadsContext)
  const field = useId()
  useEffect(() => {
    notePendingUploads(field, count)
    return () => notePendingUploads(field, 0)
  }, [notePendingUploads, field, count])
  const error = findFilesError(rule, entries)
  const acceptsMethod = (method: string) => rule.methods.length === 0 || rule.methods.includes(method)
  const types = rule.types.length > 0 ? rule.types.join(', ') : t('anyType')

  const uploadFiles = (files: readonly File[]) => {
    const slotsLeft =
      rule.maxFiles === null || rule.maxFiles === 1
        ? Infinity
        : rule.maxFiles - entries.length - uploads.pendingUploads.length
    const chosen = files.map((file) => ({ file, fault: findUploadError(rule, file) }))
    const wrong = chosen.find((one) => one.fault)?.fault ?? null
    const fit = chosen.filter((one) => !one.fault).map(({ file }) => file)
    const tooMany = fit.length > slotsLeft ? { key: 'tooManyFiles' as const, max: rule.maxFiles ?? 0 } : null
    const first = wrong ?? tooMany
    setRefused(first ? formatFieldError(t, { ...first, label }) : null)
    uploads.upload(fit.slice(0, slotsLeft))
  }
  return (
    <div className={classes.field} role="group" aria-label={label}>
      {entries.length > 0 ? (
        <ul className={classes.entries}>
          {entries.map((entry, index) => (
            <FileEntryItem
              key={index}
              entry={entry}
              rule={rule}
              user={upload?.user ?? null}
              onType={(type) => onEntries(entries.map((one, at) => (at === index ? { ...one, type } : one)))}
              onRemove={() => onEntries(entries.filter((_, at) => at !== index))}
            />
          ))}
        </ul>
      ) : null}
      {uploads.pendingUploads.map((pendingUpload) =>
        pendingUpload.problem ? (
          <ProblemAlert
            key={pendingUpload.id}
            problem={pendingUpload.problem}
            action={t('uploadWhat', { name: pendingUpload.file.name })}
            onRetry={() => uploads.retry(pendingUpload)}
          >
            <Button variant="default" onClick={() => uploads.remove(pendingUpload)}>
              {t('removeFile', { name: pendingUpload.file.name })}
            </Button>
          </ProblemAlert>
        ) : (
          <div key={pendingUpload.id} className={classes.uploading}>
            <span role="status">
              {t('uploading', { name: pendingUpload.file.name, percent: Math.floor(pendingUpload.progress * 100) })}
            </span>
            <ActionIcon
              size={24}
              aria-label={t('cancelUpload', { name: pendingUpload.file.name })}
              onClick={() => uploads.remove(pendingUpload)}
            >
              <IconX size={14} />
            </ActionIcon>
          </div>
        ),
      )}
      <div className={classes.ways}>
        {acceptsMethod('remote_url') ? <FileUrlField rule={rule} onAdd={add} /> : null}
        {acceptsMethod('local_file') && upload ? (
          <FileButton multiple onChange={uploadFiles} disabled={upload.user === ''}>
            {(props) => (
              <Button
                {...props}
                variant="default"
                leftSection={<IconUpload size={14} />}
                disabled={upload.user === ''}
                title={upload.user === '' ? t('uploadNeedsUser') : undefined}
              >
                {t('uploadFile')}
              </Button>
            )}
          </FileButton>
        ) : null}
        <small className={classes.limits}>{t('fileLimits', { types, most: rule.maxFiles ?? 0 })}</small>
      </div>
      {refused ? (
        <p className={classes.fault} role="alert">
          {refused}
        </p>
      ) : null}
      {error ? <p className={classes.fault}>{formatFieldError(t, { ...error, label })}</p> : null}
    </div>
  )
}

function FileUrlField({ rule, onAdd }: { rule: FileRule; onAdd: (entry: FileEntry) => void }) {
  const t = useMessages(inputMessages)
  const [url, setUrl] = useState('')
  const [isRefused, setRefused] = useState(false)
  const add = () => {
    const entry = { transfer_method: 'remote_url', url: url.trim(), type: guessFileType(rule, { url: url.trim() }) }
    if (findFileError({ ...rule, types: [], extensions: [] }, entry)) return setRefused(true)
    onAdd(entry)
    setUrl('')
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
    // Enter adds the file; it does not submit the surrounding form.
    event.preventDefault()
    if (url.trim() !== '') add()
  }
  return (
    <span className={classes.byUrl}>
      <input
        type="url"
        className={classes.url}
        aria-label={t('fileUrl')}
        placeholder="https://"
        maxLength={4096}
        value={url}
        aria-invalid={isRefused}
        onChange={(event) => {
          setUrl(event.currentTarget.value)
          setRefused(false)
        }}
        onKeyDown={onKeyDown}
      />
      <Button variant="default" leftSection={<IconLink size={14} />} disabled={url.trim() === ''} onClick={add}>
        {t('addFile')}
      </Button>
      {isRefused ? (
        <small className={classes.fault} role="alert">
          {t('notUrl', { label: t('fileUrl'), given: url.trim() })}
        </small>
      ) : null}
    </span>
  )
}

interface FileEntryItemProps {
  entry: FileEntry
  rule: FileRule
  user: string | null
  onType: (type: string) => void
  onRemove: () => void
}

function FileEntryItem({ entry, rule, user, onType, onRemove }: FileEntryItemProps) {
  const t = useMessages(inputMessages)
  const name = getFileName(entry)
  const types = [...new Set([entry.type, ...(rule.types.length > 0 ? rule.types : FILE_TYPES)])]
  const isOthers = entry.uploadedBy !== undefined && user !== null && entry.uploadedBy !== user
  return (
    <li className={classes.entry} data-fault={findFileError(rule, entry) !== null || undefined}>
      {entry.transfer_method === 'remote_url' ? <IconLink size={14} aria-hidden /> : <IconFile size={14} aria-hidden />}
      <span className={classes.name} title={name}>
        {name}
      </span>
      <select
        aria-label={`${t('fileTypeLabel')} ${name}`}
        value={entry.type}
        onChange={(event) => onType(event.currentTarget.value)}
      >
        {types.map((type) => (
          <option key={type}>{type}</option>
        ))}
      </select>
      <code>{entry.transfer_method}</code>
      {entry.size === undefined ? null : <small>{formatBytes(entry.size)}</small>}
      <ActionIcon size={24} aria-label={t('removeFile', { name })} onClick={onRemove}>
        <IconX size={14} />
      </ActionIcon>
      {isOthers ? <small className={classes.note}>{t('uploadedBy', { user: entry.uploadedBy ?? '' })}</small> : null}
    </li>
  )
}

/** Rejects a file before the upload starts. */
const findUploadError = (rule: FileRule, { name, size }: File) =>
  findFileError(rule, {
    name,
    size,
    type: guessFileType(rule, { name }),
    transfer_method: 'local_file',
    upload_file_id: name,
  })
