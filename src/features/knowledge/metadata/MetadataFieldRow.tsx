import { ActionIcon, TextInput } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { paths } from '#domain/paths.ts'
import { type MetadataField, optionalMetadataEndpoints } from '#contract/platform/optionalMetadata.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useWrite } from '../../../client/query.ts'
import { metadataMessages } from './messages.ts'
import classes from './Metadata.module.css'

export interface MetadataFieldRowProps {
  field: MetadataField
  dataset_id: string
  keyId: string
  workspace: string
  canEdit: boolean
  onDelete: () => void
}

const MAX_SHOWN_VALUES = 20

/** A field with its type, the number of its values and those that do not fit; its new name while it is renamed. */
export function MetadataFieldRow({ field, dataset_id, keyId, workspace, canEdit, onDelete }: MetadataFieldRowProps) {
  const t = useMessages(metadataMessages)
  const rename = useWrite(optionalMetadataEndpoints.updateMetadata)
  const [newName, setNewName] = useState<string | null>(null)
  const close = () => {
    setNewName(null)
    rename.reset()
  }
  const save = () => {
    const name = newName?.trim() ?? ''
    if (name === '' || name === field.name) return close()
    rename.mutate({ key: keyId, params: { dataset_id, metadata_id: field.id }, body: { name } }, { onSuccess: close })
  }
  return (
    <li>
      {newName === null ? (
        <span className={classes.name}>{field.name}</span>
      ) : (
        <TextInput
          className={classes.name}
          aria-label={t('newFieldName', { name: field.name })}
          value={newName}
          maxLength={255}
          autoFocus
          disabled={rename.isPending}
          error={rename.error?.problem.message}
          onChange={(event) => setNewName(event.currentTarget.value)}
          onBlur={() => (rename.isPending ? undefined : save())}
          onKeyDown={(event) => {
            if (event.key === 'Enter') save()
            if (event.key === 'Escape') close()
          }}
        />
      )}
      <span className={classes.type}>{field.type}</span>
      <span className={classes.count}>{t('values', { n: field.count ?? 0 })}</span>
      {canEdit && newName === null ? (
        <>
          <ActionIcon
            size={24}
            aria-label={t('renameField', { name: field.name })}
            title={t('rename')}
            onClick={() => setNewName(field.name)}
          >
            <IconPencil size={14} />
          </ActionIcon>
          <ActionIcon
            size={24}
            aria-label={t('deleteField', { name: field.name })}
            title={t('delete')}
            onClick={onDelete}
          >
            <IconTrash size={14} />
          </ActionIcon>
        </>
      ) : null}
      {field.unfit_values?.length ? (
        <p className={classes.unfit}>
          {t(field.type === 'time' ? 'notTimes' : 'notNumbers', { n: field.unfit_values.length })}
          {field.unfit_values.slice(0, MAX_SHOWN_VALUES).map(({ document_id, document_name, value }) => (
            <span key={document_id}>
              {' '}
              <Link to={paths.document(dataset_id, document_id, { workspace })}>{document_name}</Link> “{String(value)}”
            </span>
          ))}
        </p>
      ) : null}
    </li>
  )
}
