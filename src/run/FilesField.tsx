import { ActionIcon, Button, FileButton } from '@mantine/core'
import { IconFile, IconLink, IconUpload, IconX } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { ProblemNote } from '../ui/ProblemNote.tsx'
import { useWords } from '../ui/words.ts'
import { faultWords } from './faultWords.ts'
import classes from './FilesField.module.css'
import { FILE_TYPES, type FileEntry, type FileRule, faultOfFile, faultOfFiles, nameOf, typeOf } from './files.ts'
import { runWords } from './messages.ts'
import { type UploadTarget, useUpload } from './useUpload.ts'

export interface FilesFieldProps {
  /** How the faults call it. */
  label: string
  rule: FileRule
  entries: readonly FileEntry[]
  onEntries: (entries: FileEntry[]) => void
  /** Null where the platform does not offer uploads. */
  upload: UploadTarget | null
  /** Told how many uploads are under way or have failed: what is sent now goes without them. */
  onPassing?: (count: number) => void
}

/** The files of one variable, or beside the question: by URL, and by upload where the platform offers it. */
export function FilesField({ label, rule, entries, onEntries, upload, onPassing }: FilesFieldProps) {
  const t = useWords(runWords)
  const [refused, setRefused] = useState<string | null>(null)
  // Two uploads may end before the form is drawn again: the second one is added to what the first one made.
  const held = useRef(entries)
  useEffect(() => {
    held.current = entries
  }, [entries])
  const add = (entry: FileEntry) => {
    const now = rule.most === 1 ? [entry] : [...held.current, entry]
    held.current = now
    onEntries(now)
  }
  const passing = useUpload(upload, rule, add)
  const count = passing.passages.length
  useEffect(() => onPassing?.(count), [onPassing, count])
  const fault = faultOfFiles(rule, entries)
  const takes = (method: string) => rule.methods.length === 0 || rule.methods.includes(method)
  const types = rule.types.length > 0 ? rule.types.join(', ') : t('anyType')

  const choose = (files: readonly File[]) => {
    const room = rule.most === null || rule.most === 1 ? Infinity : rule.most - entries.length - passing.passages.length
    const chosen = files.map((file) => ({ file, fault: faultOfChosen(rule, file) }))
    const wrong = chosen.find((one) => one.fault)?.fault ?? null
    const fit = chosen.filter((one) => !one.fault).map(({ file }) => file)
    const tooMany = fit.length > room ? { key: 'tooManyFiles' as const, max: rule.most ?? 0 } : null
    const first = wrong ?? tooMany
    setRefused(first ? faultWords(t, { ...first, label }) : null)
    passing.upload(fit.slice(0, room))
  }
  return (
    <div className={classes.field} role="group" aria-label={label}>
      {entries.length > 0 ? (
        <ul className={classes.entries}>
          {entries.map((entry, index) => (
            <Entry
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
      {passing.passages.map((passage) =>
        passage.problem ? (
          <ProblemNote
            key={passage.id}
            problem={passage.problem}
            what={t('uploadWhat', { name: passage.file.name })}
            onRetry={() => passing.retry(passage)}
          >
            <Button variant="default" onClick={() => passing.giveUp(passage.id)}>
              {t('removeFile', { name: passage.file.name })}
            </Button>
          </ProblemNote>
        ) : (
          <p key={passage.id} className={classes.passing} role="status">
            {t('uploading', { name: passage.file.name, percent: Math.floor(passage.progress * 100) })}
          </p>
        ),
      )}
      <div className={classes.ways}>
        {takes('remote_url') ? <ByUrl rule={rule} onAdd={add} /> : null}
        {takes('local_file') && upload ? (
          <FileButton multiple onChange={choose} disabled={upload.user === ''}>
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
        <small className={classes.limits}>{t('fileLimits', { types, most: rule.most ?? 0 })}</small>
      </div>
      {refused ? (
        <p className={classes.fault} role="alert">
          {refused}
        </p>
      ) : null}
      {fault ? <p className={classes.fault}>{faultWords(t, { ...fault, label })}</p> : null}
    </div>
  )
}

function ByUrl({ rule, onAdd }: { rule: FileRule; onAdd: (entry: FileEntry) => void }) {
  const t = useWords(runWords)
  const [url, setUrl] = useState('')
  const [isRefused, setRefused] = useState(false)
  const add = () => {
    const entry = { transfer_method: 'remote_url', url: url.trim(), type: typeOf(rule, { url: url.trim() }) }
    if (faultOfFile({ ...rule, types: [], extensions: [] }, entry)) return setRefused(true)
    onAdd(entry)
    setUrl('')
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing) return
    // Enter adds the file; it does not send the form around it.
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

interface EntryProps {
  entry: FileEntry
  rule: FileRule
  user: string | null
  onType: (type: string) => void
  onRemove: () => void
}

function Entry({ entry, rule, user, onType, onRemove }: EntryProps) {
  const t = useWords(runWords)
  const name = nameOf(entry)
  const types = [...new Set([entry.type, ...(rule.types.length > 0 ? rule.types : FILE_TYPES)])]
  const isOthers = entry.by !== undefined && user !== null && entry.by !== user
  return (
    <li className={classes.entry} data-fault={faultOfFile(rule, entry) !== null || undefined}>
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
      {entry.size === undefined ? null : (
        <small>{t('kilobytes', { size: Math.ceil(entry.size / 1000).toLocaleString('en') })}</small>
      )}
      <ActionIcon size={24} aria-label={t('removeFile', { name })} onClick={onRemove}>
        <IconX size={14} />
      </ActionIcon>
      {isOthers ? <small className={classes.note}>{t('uploadedBy', { user: entry.by ?? '' })}</small> : null}
    </li>
  )
}

/** What keeps a file from being uploaded at all: it is refused before it leaves. */
const faultOfChosen = (rule: FileRule, { name, size }: File) =>
  faultOfFile(rule, { name, size, type: typeOf(rule, { name }), transfer_method: 'local_file', upload_file_id: name })
