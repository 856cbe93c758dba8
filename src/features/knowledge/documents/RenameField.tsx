import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { documentEndpoints } from '#contract/platform/documents.ts'
import type { DocumentRecord } from '#domain/documentRecord.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useWrite } from '../../../client/query.ts'
import classes from './Documents.module.css'
import { documentMessages } from './messages.ts'

export interface RenameFieldProps {
  document: DocumentRecord
  dataset_id: string
  keyId: string
  onClose: () => void
}

/**
 * The name of a document as a field in its row: Enter saves, Escape or leaving it unchanged closes. Operation 4 with a
 * name alone, which only the built-in platform accepts.
 */
export function RenameField({ document, dataset_id, keyId, onClose }: RenameFieldProps) {
  const t = useMessages(documentMessages)
  const rename = useWrite(documentEndpoints.updateByText, { onDone: onClose })
  const before = document.name ?? ''
  const [name, setName] = useState(before)
  const save = () => {
    const typed = name.trim()
    if (typed === '' || typed === before) onClose()
    else rename.mutate({ key: keyId, params: { dataset_id, document_id: document.id }, body: { name: typed } })
  }
  return (
    <TextInput
      className={classes.rename}
      aria-label={t('newName', { name: before })}
      value={name}
      maxLength={255}
      autoFocus
      disabled={rename.isPending}
      error={rename.error ? t('renameRefused', { reason: rename.error.problem.message }) : undefined}
      onFocus={(event) => event.currentTarget.setSelectionRange(0, before.replace(/\.[^.]+$/, '').length)}
      onChange={(event) => setName(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') save()
        if (event.key === 'Escape') onClose()
      }}
      onBlur={() => {
        if (name.trim() === before && !rename.isPending) onClose()
      }}
    />
  )
}
