import { ActionIcon, Box, Button, Flex, Group, NativeSelect, Switch, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { z } from 'zod'
import { type MetadataField, optionalMetadataEndpoints } from '#contract/platform/optionalMetadata.ts'
import fields from '../../../components/forms/Fields.module.css'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { ReadBoundary } from '../../../components/layout/ReadBoundary.tsx'
import { InlineForm } from '../../../components/forms/InlineForm.tsx'
import { useContractForm } from '../../../components/forms/useContractForm.ts'
import { SkeletonRows } from '../../../components/layout/SkeletonRows.tsx'
import { useDeleteDialog } from '../../../components/overlays/useDeleteDialog.ts'
import { useRead, useWrite } from '../../../client/query.ts'
import { usePermission } from '../../../client/usePermission.ts'
import { metadataMessages } from './messages.ts'
import { IconPencil, IconTrash, IconPlus } from '@tabler/icons-react'
import { Link } from 'react-router'
import { paths } from '#domain/paths.ts'
import { METADATA_TYPES, type MetadataType } from '#contract/platform/schemas.ts'
import blocks from '../../../components/layout/Blocks.module.css'

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
  const openDelete = useDeleteDialog()
  const remove = useWrite(optionalMetadataEndpoints.deleteMetadata)
  const askDelete = ({ id, name, count }: MetadataField) => {
    const n = count ?? 0
    openDelete({
      title: t('deleteQuestion', { name }),
      lost: [t('deleteLost', { n })],
      kept: [t('deleteKept')],
      confirmLabel: t('deleteDo', { n }),
      cancelLabel: t('keep'),
      action: t('deleteWhat'),
      run: () => remove.mutateAsync({ key: keyId, params: { dataset_id, metadata_id: id } }),
    })
  }
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
      <ReadBoundary
        read={list}
        action={t('fieldsWhat')}
        loading={<SkeletonRows rows={2} />}
        empty={<p className={fields.note}>{t('noFields')}</p>}
        isEmpty={({ doc_metadata }) => doc_metadata.length === 0}
      >
        {({ doc_metadata }) => (
          <Box component="ul" className={blocks.lined} fz={13} style={{ overflowWrap: 'anywhere' }}>
            {doc_metadata.map((field) => (
              <MetadataFieldRow
                key={field.id}
                field={field}
                dataset_id={dataset_id}
                keyId={keyId}
                workspace={workspace}
                canEdit={canEdit}
                onDelete={() => askDelete(field)}
              />
            ))}
          </Box>
        )}
      </ReadBoundary>
      {canEdit ? <AddMetadataField dataset_id={dataset_id} keyId={keyId} /> : null}
      {list.data ? (
        <BuiltInSwitch
          dataset_id={dataset_id}
          keyId={keyId}
          isEnabled={list.data.built_in_field_enabled ?? false}
          canEdit={canEdit}
        />
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
    <Group component="li" gap="sm" mih={36}>
      {newName === null ? (
        <Text span inherit flex={1} miw={0} fw={550}>
          {field.name}
        </Text>
      ) : (
        <TextInput
          flex={1}
          miw={0}
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
      <Text component="code" fz="xs" c="dimmed">
        {field.type}
      </Text>
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
          {field.unfit_values.slice(0, MAX_SHOWN_VALUES).map(({ document_id, document_name, value }, index) => (
            <span key={document_id}>
              {index === 0 ? ' ' : ', '}
              <Link to={paths.document(dataset_id, document_id, { workspace })}>{document_name}</Link> “{String(value)}”
            </span>
          ))}
        </Text>
      ) : null}
    </Group>
  )
}

/** A new metadata field: its name and its type, which is final. */
function AddMetadataField({ dataset_id, keyId }: { dataset_id: string; keyId: string }) {
  const t = useMessages(metadataMessages)
  const add = useWrite(optionalMetadataEndpoints.createMetadata)
  const form = useContractForm({
    schema: optionalMetadataEndpoints.createMetadata.body.extend({ name: z.string().trim().min(1, t('nameNeeded')) }),
    initialValues: { name: '', type: 'string' as MetadataType },
    send: (body) => add.mutateAsync({ key: keyId, params: { dataset_id }, body }),
    onDone: (_, { type }) => form.form.reset({ name: '', type }),
  })
  return (
    <InlineForm
      form={form}
      layout="row"
      action={t('addWhat')}
      buttons={
        <Button type="submit" variant="default" leftSection={<IconPlus size={14} />} loading={form.isPending}>
          {t('add')}
        </Button>
      }
    >
      <TextInput
        {...form.field('name')}
        label={undefined}
        aria-label={t('fieldName')}
        placeholder={t('name')}
        maxLength={255}
        flex={1}
        miw={160}
      />
      <NativeSelect
        {...form.field('type')}
        label={undefined}
        aria-label={t('fieldType')}
        data={METADATA_TYPES.map((one) => ({ value: one, label: `${t(`types.${one}`)} (${one})` }))}
      />
    </InlineForm>
  )
}
