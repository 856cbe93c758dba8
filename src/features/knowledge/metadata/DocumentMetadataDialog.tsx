import { Button } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import type { DocumentRecord } from '#domain/documentRecord.ts'
import { paths } from '#domain/paths.ts'
import { Dialog } from '../../../components/overlays/Dialog.tsx'
import fieldClasses from '../../../components/forms/Fields.module.css'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { PermissionNote } from '../../../components/layout/PermissionNote.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { SkeletonRows } from '../../../components/layout/SkeletonRows.tsx'
import { useRead, useWrite } from '../../../client/query.ts'
import { usePermission } from '../../../client/usePermission.ts'
import { getRequiredAccess } from '#contract/permissions.ts'
import { type MetadataField, optionalMetadataEndpoints } from '#contract/platform/optionalMetadata.ts'
import { metadataMessages } from './messages.ts'
import classes from './Metadata.module.css'
import { MetadataValueInput } from './MetadataValueInput.tsx'
import { parseInput, readDocumentValues, toCommonInput, toInput, toMetadataUpdate } from './metadataValues.ts'

export interface DocumentMetadataDialogProps {
  dataset_id: string
  /** One document or several, at least one. */
  documents: readonly DocumentRecord[]
  keyId: string
  workspace: string
  onClose: () => void
}

/** Edits the metadata of documents. Of several, only the fields that are typed in are changed. */
export function DocumentMetadataDialog({
  dataset_id,
  documents,
  keyId,
  workspace,
  onClose,
}: DocumentMetadataDialogProps) {
  const t = useMessages(metadataMessages)
  const canEdit = usePermission()(optionalMetadataEndpoints.updateDocumentMetadata)
  const list = useRead(optionalMetadataEndpoints.listMetadata, { key: keyId, params: { dataset_id } })
  const save = useWrite(optionalMetadataEndpoints.updateDocumentMetadata)
  const [inputs, setInputs] = useState<ReadonlyMap<string, string>>(new Map())
  const fields = list.data?.doc_metadata ?? []
  const parsed = [...inputs].map(([id, input]) => {
    const field = fields.find((one) => one.id === id)
    return [id, parseInput(field?.type, input)] as const
  })
  const hasError = parsed.some(([, value]) => value === undefined)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (hasError) return
    const changes = new Map(parsed.map(([id, value]) => [id, value ?? null]))
    const operation_data = toMetadataUpdate(documents, fields, changes)
    save.mutate({ key: keyId, params: { dataset_id }, body: { operation_data } }, { onSuccess: onClose })
  }
  const [only] = documents.length === 1 ? documents : []
  const builtIn = only ? readDocumentValues(only).builtIn : []
  return (
    <Dialog
      isDirty={inputs.size > 0}
      onClose={onClose}
      title={only ? t('editOne', { name: only.name ?? only.id.slice(0, 8) }) : t('editMany', { n: documents.length })}
    >
      <form className={fieldClasses.form} onSubmit={submit} noValidate>
        {list.error ? (
          <ProblemAlert problem={list.error.problem} action={t('fieldsWhat')} onRetry={() => void list.refetch()} />
        ) : null}
        {list.isPending ? <SkeletonRows rows={3} /> : null}
        {list.data && fields.length === 0 ? (
          <p className={fieldClasses.note}>
            {t('noFieldsText')} <Link to={paths.datasetSettings(dataset_id, { workspace })}>{t('toSettings')}</Link>
          </p>
        ) : null}
        {fields.map((field, index) => (
          <MetadataInput
            key={field.id}
            field={field}
            common={toCommonInput(field, documents)}
            input={inputs.get(field.id)}
            isFirst={index === 0}
            isDisabled={!canEdit}
            onChange={(input) => setInputs(new Map(inputs).set(field.id, input))}
          />
        ))}
        {builtIn.length > 0 ? (
          <dl className={classes.builtIn} aria-label={t('builtInValues')}>
            {builtIn.map(({ name, type, value }) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{toInput(type, value) || t('notGiven')}</dd>
              </div>
            ))}
          </dl>
        ) : null}
        {fields.length > 0 ? (
          <p className={fieldClasses.note}>
            {t('emptied')} {t('replaced')}
          </p>
        ) : null}
        {save.error ? <ProblemAlert problem={save.error.problem} action={t('saveWhat')} isInForm /> : null}
        {canEdit ? (
          <div className={fieldClasses.buttons}>
            <Button type="submit" loading={save.isPending} disabled={inputs.size === 0 || hasError}>
              {t('save')}
            </Button>
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
          </div>
        ) : (
          <PermissionNote {...getRequiredAccess(optionalMetadataEndpoints.updateDocumentMetadata)} />
        )}
      </form>
    </Dialog>
  )
}

interface MetadataInputProps {
  field: MetadataField
  /** The value that all documents have; null where they differ. */
  common: string | null
  /** What was typed; undefined where nothing was. */
  input: string | undefined
  isFirst: boolean
  isDisabled: boolean
  onChange: (input: string) => void
}

function MetadataInput({ field, common, input, isFirst, isDisabled, onChange }: MetadataInputProps) {
  const t = useMessages(metadataMessages)
  return (
    <MetadataValueInput
      type={field.type}
      label={
        <>
          {field.name} <span className={classes.type}>{field.type}</span>
        </>
      }
      value={input ?? common ?? ''}
      description={common === null && input === undefined ? t('several') : undefined}
      disabled={isDisabled}
      onChange={onChange}
      {...(isFirst ? { 'data-autofocus': true } : {})}
    />
  )
}
