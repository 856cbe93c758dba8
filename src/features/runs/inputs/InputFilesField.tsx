import { ActionIcon, Button, FileButton, Flex, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import { IconFile, IconLink, IconUpload, IconX } from '@tabler/icons-react'
import { type KeyboardEvent, useContext, useEffect, useId, useRef, useState } from 'react'
import { optionalAppEndpoints } from '#contract/platform/optionalApps.ts'
import { type Problem, ProblemError } from '#contract/problem.ts'
import { formatBytes } from '#domain/metricFormat.ts'
import { call } from '../../../client/http.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { formatFieldError } from './inputFields.ts'
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

/** The upload target: the app's key, and the user of the run. */
export interface UploadTarget {
  key: string
  user: string
}

/** A pending or failed upload. */
interface PendingUpload {
  id: number
  file: File
  /** The sent fraction, 0 to 1. */
  progress: number
  problem: Problem | null
  /** Ends the request when the upload is removed. */
  abortController: AbortController
}

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
    <Stack gap="xs" miw={0} role="group" aria-label={label}>
      {entries.length > 0 ? (
        <Flex component="ul" direction="column" gap={4}>
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
        </Flex>
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
          <Group key={pendingUpload.id} gap={4} fz="sm" c="var(--running-fg)">
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
          </Group>
        ),
      )}
      <Group gap="xs">
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
        <Text span size="xs" c="var(--text-3)">
          {t('fileLimits', { types, most: rule.maxFiles ?? 0 })}
        </Text>
      </Group>
      {refused ? (
        <Text {...FAULT_STYLE} role="alert">
          {refused}
        </Text>
      ) : null}
      {error ? <Text {...FAULT_STYLE}>{formatFieldError(t, { ...error, label })}</Text> : null}
    </Stack>
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
    <Group gap="xs" flex="1 1 240px">
      <TextInput
        type="url"
        flex="1 1 120px"
        aria-label={t('fileUrl')}
        placeholder="https://"
        maxLength={4096}
        value={url}
        error={isRefused}
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
        <Text {...FAULT_STYLE} flex="1 0 100%" role="alert">
          {t('notUrl', { label: t('fileUrl'), given: url.trim() })}
        </Text>
      ) : null}
    </Group>
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
    <Flex
      component="li"
      wrap="wrap"
      align="center"
      gap="xs"
      miw={0}
      mih={30}
      py={2}
      pl="sm"
      pr={3}
      bd={`1px solid var(${findFileError(rule, entry) === null ? '--line-2' : '--failed-solid'})`}
      bdrs="sm"
      fz="sm"
    >
      {entry.transfer_method === 'remote_url' ? <IconLink size={14} aria-hidden /> : <IconFile size={14} aria-hidden />}
      <Text span size="sm" truncate flex="1 1 90px" title={name}>
        {name}
      </Text>
      <NativeSelect
        aria-label={`${t('fileTypeLabel')} ${name}`}
        value={entry.type}
        data={types}
        onChange={(event) => onType(event.currentTarget.value)}
      />
      <Text component="code" fz="xs" c="var(--text-3)">
        {entry.transfer_method}
      </Text>
      {entry.size === undefined ? null : (
        <Text span fz="xs" c="var(--text-3)">
          {formatBytes(entry.size)}
        </Text>
      )}
      <ActionIcon size={24} aria-label={t('removeFile', { name })} onClick={onRemove}>
        <IconX size={14} />
      </ActionIcon>
      {isOthers ? (
        <Text span size="xs" c="var(--interrupted-fg)" flex="1 0 100%">
          {t('uploadedBy', { user: entry.uploadedBy ?? '' })}
        </Text>
      ) : null}
    </Flex>
  )
}

const FAULT_STYLE = { size: 'sm', c: 'var(--failed-fg)', style: { overflowWrap: 'anywhere' } } as const

/** Rejects a file before the upload starts. */
const findUploadError = (rule: FileRule, { name, size }: File) =>
  findFileError(rule, {
    name,
    size,
    type: guessFileType(rule, { name }),
    transfer_method: 'local_file',
    upload_file_id: name,
  })

/**
 * Uploads files one by one into `onEntry`. A failed upload stays until it is retried or removed; an active one can
 * also be removed.
 */
function useFileUpload(target: UploadTarget | null, rule: FileRule, onEntry: (entry: FileEntry) => void) {
  const [pendingUploads, setPendingUploads] = useState<PendingUpload[]>([])
  const last = useRef(0)
  // The form may change during an upload: call the latest handler.
  const latest = useRef(onEntry)
  useEffect(() => {
    latest.current = onEntry
  })
  const change = (id: number, part: Partial<PendingUpload>) =>
    setPendingUploads((before) => before.map((one) => (one.id === id ? { ...one, ...part } : one)))
  const forget = (id: number) => setPendingUploads((before) => before.filter((one) => one.id !== id))

  const send = async ({ id, file, abortController: { signal } }: PendingUpload) => {
    if (!target) return
    const { key, user } = target
    change(id, { problem: null, progress: 0 })
    try {
      const upload = await call(
        optionalAppEndpoints.uploadFile,
        { key, body: { data: { user }, file } },
        { signal, onProgress: ({ sent, total }) => change(id, { progress: total === 0 ? 1 : sent / total }) },
      )
      if (signal.aborted) return
      forget(id)
      latest.current({
        type: guessFileType(rule, { name: file.name }),
        transfer_method: 'local_file',
        upload_file_id: upload.id,
        name: upload.name ?? file.name,
        size: upload.size ?? file.size,
        uploadedBy: user,
      })
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof ProblemError)) throw error
      change(id, { problem: error.problem })
    }
  }
  const upload = (files: readonly File[]) => {
    const begun = files.map((file) => ({
      id: ++last.current,
      file,
      progress: 0,
      problem: null,
      abortController: new AbortController(),
    }))
    setPendingUploads((before) => [...before, ...begun])
    for (const pendingUpload of begun) void send(pendingUpload)
  }
  const remove = ({ id, abortController }: PendingUpload) => {
    abortController.abort()
    forget(id)
  }
  return { pendingUploads, upload, retry: (pendingUpload: PendingUpload) => void send(pendingUpload), remove }
}
