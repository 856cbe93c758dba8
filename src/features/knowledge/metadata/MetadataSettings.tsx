import { ActionIcon, Button, Flex, Group, NativeSelect, Switch, Text, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { type MetadataField, optionalMetadataEndpoints } from '#contract/platform/optionalMetadata.ts'
import fields from '../../../components/forms/Fields.module.css'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { SkeletonRows } from '../../../components/layout/SkeletonRows.tsx'
import { DeleteDialog } from '../../../components/overlays/DeleteDialog.tsx'
import { useRead, useWrite } from '../../../client/query.ts'
import { usePermission } from '../../../client/usePermission.ts'
import { metadataMessages } from './messages.ts'
import classes from './Metadata.module.css'
import { IconPencil, IconTrash, IconPlus } from '@tabler/icons-react'
import { Link } from 'react-router'
import { paths } from '#domain/paths.ts'
import { METADATA_TYPES, type MetadataType } from '#contract/platform/schemas.ts'

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
    <Flex
      component="section"
      direction="column"
      gap="sm"
      p="md"
      bd="1px solid var(--line)"
      bdrs="lg"
      aria-label={t('metadata')}
    >
      <Text component="h2" fw={600}>
        {t('metadata')}
      </Text>
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
    </Flex>
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

interface MetadataFieldRowProps {
  field: MetadataField
  dataset_id: string
  keyId: string
  workspace: string
  canEdit: boolean
  onDelete: () => void
}

const MAX_SHOWN_VALUES = 20

/** A field with its type, the number of its values and those that do not fit; its new name while it is renamed. */
function MetadataFieldRow({ field, dataset_id, keyId, workspace, canEdit, onDelete }: MetadataFieldRowProps) {
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
      <Text span fz="xs" c="var(--text-3)">
        {t('values', { n: field.count ?? 0 })}
      </Text>
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
        <Text fz="sm" mb="xs" flex="0 0 100%">
          {t(field.type === 'time' ? 'notTimes' : 'notNumbers', { n: field.unfit_values.length })}
          {field.unfit_values.slice(0, MAX_SHOWN_VALUES).map(({ document_id, document_name, value }) => (
            <span key={document_id}>
              {' '}
              <Link to={paths.document(dataset_id, document_id, { workspace })}>{document_name}</Link> “{String(value)}”
            </span>
          ))}
        </Text>
      ) : null}
    </li>
  )
}

/** A new metadata field: its name and its type, which is final. */
function AddMetadataField({ dataset_id, keyId }: { dataset_id: string; keyId: string }) {
  const t = useMessages(metadataMessages)
  const add = useWrite(optionalMetadataEndpoints.createMetadata)
  const [name, setName] = useState('')
  const [type, setType] = useState<MetadataType>('string')
  const [isNameMissing, setNameMissing] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setNameMissing(name.trim() === '')
    if (name.trim() === '') return
    add.mutate(
      { key: keyId, params: { dataset_id }, body: { name: name.trim(), type } },
      { onSuccess: () => setName('') },
    )
  }
  return (
    <form onSubmit={submit} noValidate>
      <Group gap="sm" align="flex-start" className={classes.inputs}>
        <TextInput
          aria-label={t('fieldName')}
          placeholder={t('name')}
          value={name}
          maxLength={255}
          error={isNameMissing ? t('nameNeeded') : undefined}
          onChange={(event) => {
            setNameMissing(false)
            setName(event.currentTarget.value)
          }}
        />
        <NativeSelect
          aria-label={t('fieldType')}
          value={type}
          onChange={(event) => setType(METADATA_TYPES.find((one) => one === event.currentTarget.value) ?? 'string')}
          data={METADATA_TYPES.map((one) => ({ value: one, label: `${t(`types.${one}`)} (${one})` }))}
        />
        <Button type="submit" variant="default" leftSection={<IconPlus size={14} />} loading={add.isPending}>
          {t('add')}
        </Button>
      </Group>
      {add.error ? <ProblemAlert problem={add.error.problem} action={t('addWhat')} isInForm /> : null}
    </form>
  )
}
