import { Switch } from '@mantine/core'
import { useState } from 'react'
import { type MetadataField, optionalMetadataEndpoints } from '#contract/platform/optionalMetadata.ts'
import fields from '../../../components/forms/Fields.module.css'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { SkeletonRows } from '../../../components/layout/SkeletonRows.tsx'
import { DeleteDialog } from '../../../components/overlays/DeleteDialog.tsx'
import { useRead, useWrite } from '../../../client/query.ts'
import { usePermission } from '../../../client/usePermission.ts'
import { AddMetadataField } from './AddMetadataField.tsx'
import { metadataMessages } from './messages.ts'
import classes from './Metadata.module.css'
import { MetadataFieldRow } from './MetadataFieldRow.tsx'

export interface MetadataSettingsProps {
  dataset_id: string
  keyId: string
  workspace: string
}

/** The metadata fields of a dataset: add, rename, delete, and the switch of the built-in ones. */
export function MetadataSettings({ dataset_id, keyId, workspace }: MetadataSettingsProps) {
  const t = useMessages(metadataMessages)
  const canEdit = usePermission()(optionalMetadataEndpoints.createMetadata)
  const target = { key: keyId, params: { dataset_id } }
  const list = useRead(optionalMetadataEndpoints.listMetadata, target)
  const [deleted, setDeleted] = useState<MetadataField | null>(null)
  return (
    <section className={classes.section} aria-label={t('metadata')}>
      <h2>{t('metadata')}</h2>
      <p className={fields.note}>{t('fieldsText')}</p>
      {list.error ? (
        <ProblemAlert problem={list.error.problem} action={t('fieldsWhat')} onRetry={() => void list.refetch()} />
      ) : null}
      {list.isPending ? <SkeletonRows rows={2} /> : null}
      {list.data?.doc_metadata.length === 0 ? <p className={fields.note}>{t('noFields')}</p> : null}
      {list.data && list.data.doc_metadata.length > 0 ? (
        <ul className={classes.fields}>
          {list.data.doc_metadata.map((field) => (
            <MetadataFieldRow
              key={field.id}
              field={field}
              dataset_id={dataset_id}
              keyId={keyId}
              workspace={workspace}
              canEdit={canEdit}
              onDelete={() => setDeleted(field)}
            />
          ))}
        </ul>
      ) : null}
      {canEdit ? <AddMetadataField dataset_id={dataset_id} keyId={keyId} /> : null}
      {list.data ? (
        <BuiltInSwitch
          dataset_id={dataset_id}
          keyId={keyId}
          isEnabled={list.data.built_in_field_enabled ?? false}
          canEdit={canEdit}
        />
      ) : null}
      {deleted ? (
        <DeleteMetadataField field={deleted} dataset_id={dataset_id} keyId={keyId} onClose={() => setDeleted(null)} />
      ) : null}
    </section>
  )
}

interface BuiltInSwitchProps extends Omit<MetadataSettingsProps, 'workspace'> {
  isEnabled: boolean
  canEdit: boolean
}

function BuiltInSwitch({ dataset_id, keyId, isEnabled, canEdit }: BuiltInSwitchProps) {
  const t = useMessages(metadataMessages)
  const { data } = useRead(optionalMetadataEndpoints.listBuiltInMetadata, { key: keyId, params: { dataset_id } })
  const change = useWrite(optionalMetadataEndpoints.setBuiltInMetadata)
  const names = data?.fields.map(({ name }) => name).join(', ')
  return (
    <>
      <Switch
        label={t('builtIn')}
        description={names ? t('builtInText', { names }) : undefined}
        checked={isEnabled}
        disabled={!canEdit || change.isPending}
        onChange={(event) =>
          change.mutate({
            key: keyId,
            params: { dataset_id, action: event.currentTarget.checked ? 'enable' : 'disable' },
          })
        }
      />
      {change.error ? <ProblemAlert problem={change.error.problem} action={t('builtInWhat')} isInForm /> : null}
    </>
  )
}

interface DeleteMetadataFieldProps extends Omit<MetadataSettingsProps, 'workspace'> {
  field: MetadataField
  onClose: () => void
}

function DeleteMetadataField({ field, dataset_id, keyId, onClose }: DeleteMetadataFieldProps) {
  const t = useMessages(metadataMessages)
  const remove = useWrite(optionalMetadataEndpoints.deleteMetadata)
  const n = field.count ?? 0
  return (
    <DeleteDialog
      title={t('deleteQuestion', { name: field.name })}
      confirmLabel={t('deleteDo', { n })}
      cancelLabel={t('keep')}
      isPending={remove.isPending}
      problem={remove.error?.problem}
      action={t('deleteWhat')}
      onDelete={() =>
        remove.mutate({ key: keyId, params: { dataset_id, metadata_id: field.id } }, { onSuccess: onClose })
      }
      onClose={onClose}
      lost={[t('deleteLost', { n })]}
      kept={[t('deleteKept')]}
    />
  )
}
