import { Box, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import type { DocumentRecord } from '#domain/documentRecord.ts'
import { paths } from '#domain/paths.ts'
import { FormDialog } from '../../../components/forms/FormDialog.tsx'
import { ReadBoundary } from '../../../components/layout/ReadBoundary.tsx'
import { DisabledFieldset } from '../../../components/forms/DisabledFieldset.tsx'
import fieldClasses from '../../../components/forms/Fields.module.css'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { PermissionNote } from '../../../components/layout/PermissionNote.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { SkeletonRows } from '../../../components/layout/SkeletonRows.tsx'
import { useRead, useWrite } from '../../../client/query.ts'
import { usePermission } from '../../../client/usePermission.ts'
import { getRequiredAccess } from '#contract/permissions.ts'
import { type MetadataField, optionalMetadataEndpoints } from '#contract/platform/optionalMetadata.ts'
import type { ProblemError } from '#contract/problem.ts'
import { readDocumentsAgain } from '../documents/list/readAllDocuments.ts'
import { metadataMessages } from './messages.ts'
import { MetadataValueInput } from './MetadataValueInput.tsx'
import { parseInput, readDocumentValues, toCommonInput, toInput, toMetadataUpdate } from './metadataValues.ts'

export interface DocumentMetadataDialogProps {
  dataset_id: string
  /** One document or several, at least one. Their records may be old. */
  documents: readonly DocumentRecord[]
  keyId: string
  workspace: string
  onClose: () => void
}

/**
 * Edits the metadata of documents. Only the fields that are typed in are changed: the others are written as the platform
 * has them when one saves.
 */
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
  const current = useCurrentRecords({ dataset_id, documents, keyId })
  const save = useWrite(optionalMetadataEndpoints.updateDocumentMetadata)
  const [inputs, setInputs] = useState<ReadonlyMap<string, string>>(new Map())
  const fields = list.data?.doc_metadata ?? []
  const parsed = [...inputs].map(([id, input]) => {
    const field = fields.find((one) => one.id === id)
    return [id, parseInput(field?.type, input)] as const
  })
  const hasError = parsed.some(([, value]) => value === undefined)
  const isBusy = current.isFetching || save.isPending
  const submit = async () => {
    if (hasError || isBusy) return
    const { data: newest, isError } = await current.refetch()
    if (isError || newest?.length !== documents.length) return
    const changes = new Map(parsed.map(([id, value]) => [id, value ?? null]))
    const operation_data = toMetadataUpdate(newest, fields, changes)
    save.mutate({ key: keyId, params: { dataset_id }, body: { operation_data } }, { onSuccess: onClose })
  }
  const [only] = documents.length === 1 ? documents : []
  const records = current.data ?? documents
  const missingCount = documents.length - records.length
  const [onlyRecord] = only ? records : []
  const builtIn = onlyRecord ? readDocumentValues(onlyRecord).builtIn : []
  return (
    <FormDialog
      form={{
        submit: () => void submit(),
        isPending: isBusy,
        problem: save.error?.problem ?? null,
        isUnsaved: inputs.size > 0,
      }}
      title={only ? t('editOne', { name: only.name ?? only.id.slice(0, 8) }) : t('editMany', { n: documents.length })}
      submitLabel={canEdit ? t('save') : null}
      isSubmitDisabled={inputs.size === 0 || hasError || missingCount > 0}
      action={t('saveWhat')}
      onClose={onClose}
    >
      {current.error ? (
        <ProblemAlert
          problem={current.error.problem}
          action={t('valuesWhat')}
          onRetry={() => void current.refetch()}
          isInForm
        />
      ) : null}
      {missingCount > 0 ? (
        <p className={fieldClasses.note} role="alert">
          {t('notListed', { n: missingCount })}
        </p>
      ) : null}
      <ReadBoundary
        read={list}
        action={t('fieldsWhat')}
        loading={<SkeletonRows rows={3} />}
        isEmpty={() => fields.length === 0}
        empty={
          <p className={fieldClasses.note}>
            {t('noFieldsText')} <Link to={paths.datasetSettings(dataset_id, { workspace })}>{t('toSettings')}</Link>
          </p>
        }
      >
        {() => (
          <DisabledFieldset isDisabled={!canEdit || current.isRefetching || save.isPending}>
            {fields.map((field, index) => (
              <MetadataInput
                key={field.id}
                field={field}
                common={toCommonInput(field, records)}
                input={inputs.get(field.id)}
                isFirst={index === 0}
                onChange={(input) => setInputs(new Map(inputs).set(field.id, input))}
              />
            ))}
          </DisabledFieldset>
        )}
      </ReadBoundary>
      {builtIn.length > 0 ? (
        <Box component="dl" fz="sm" aria-label={t('builtInValues')}>
          {builtIn.map(({ name, type, value }) => (
            <Group key={name} gap="xs" py={2}>
              <Text component="dt" inherit c="dimmed">
                {name}
              </Text>
              <Box component="dd" m={0}>
                {toInput(type, value) || t('notGiven')}
              </Box>
            </Group>
          ))}
        </Box>
      ) : null}
      {fields.length > 0 ? (
        <p className={fieldClasses.note}>
          {t('emptied')} {t('replaced')}
        </p>
      ) : null}
      {canEdit ? null : <PermissionNote {...getRequiredAccess(optionalMetadataEndpoints.updateDocumentMetadata)} />}
    </FormDialog>
  )
}

/** The records of the documents as the platform has them now, read whenever the dialog is opened. */
const useCurrentRecords = ({
  dataset_id,
  documents,
  keyId,
}: Pick<DocumentMetadataDialogProps, 'dataset_id' | 'documents' | 'keyId'>) =>
  useQuery<DocumentRecord[], ProblemError>({
    queryKey: ['documents', 'again', keyId, dataset_id, documents.map(({ id }) => id)],
    queryFn: ({ signal }) => readDocumentsAgain({ keyId, dataset_id }, documents, signal),
    gcTime: 0,
    staleTime: 0,
    refetchOnWindowFocus: false,
  })

interface MetadataInputProps {
  field: MetadataField
  /** The value that all documents have; null where they differ. */
  common: string | null
  /** What was typed; undefined where nothing was. */
  input: string | undefined
  isFirst: boolean
  onChange: (input: string) => void
}

function MetadataInput({ field, common, input, isFirst, onChange }: MetadataInputProps) {
  const t = useMessages(metadataMessages)
  return (
    <MetadataValueInput
      type={field.type}
      label={
        <>
          {field.name}{' '}
          <Text component="code" fz="xs" c="dimmed">
            {field.type}
          </Text>
        </>
      }
      value={input ?? common ?? ''}
      description={common === null && input === undefined ? t('several') : undefined}
      onChange={onChange}
      {...(isFirst ? { 'data-autofocus': true } : {})}
    />
  )
}
