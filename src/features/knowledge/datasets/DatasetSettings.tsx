import { Box, Button, Group, Paper, Text } from '@mantine/core'
import { useState } from 'react'
import { type Control, useWatch } from 'react-hook-form'
import type { z } from 'zod'
import { getRequiredAccess } from '#contract/permissions.ts'
import { DatasetUpdate, datasetEndpoints } from '#contract/platform/datasets.ts'
import type { Key } from '#contract/console/workspaces.ts'
import fields from '../../../components/forms/Fields.module.css'
import { InlineForm } from '../../../components/forms/InlineForm.tsx'
import { useContractForm } from '../../../components/forms/useContractForm.ts'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import { useLeaveGuard } from '../../../components/hooks/useLeaveGuard.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useWrite } from '../../../client/query.ts'
import { PredictionPanel } from '../prediction/PredictionPanel.tsx'
import type { DatasetRecord } from '../useDataset.ts'
import {
  type DatasetChange,
  listPlatformChanges,
  withRequiredFields,
  emptyDatasetForm,
  type DatasetForm,
  toDatasetForm,
  toUpdateBody,
} from './datasetForm.ts'
import { DatasetFields } from './DatasetFields.tsx'
import { datasetMessages } from './messages.ts'
import { useRetrievalDialect } from './useRetrievalDialect.ts'
import { usePermission } from '../../../client/usePermission.ts'
import { PermissionNote } from '../../../components/layout/PermissionNote.tsx'
import { LeaveDialog } from '../../../components/overlays/LeaveDialog.tsx'
import { DisabledFieldset } from '../../../components/forms/DisabledFieldset.tsx'
import { IconCircleCheckFilled, IconInfoCircle } from '@tabler/icons-react'
import blocks from '../../../components/layout/Blocks.module.css'

export interface DatasetSettingsProps {
  dataset_id: string
  /** Null where this console has only the id. */
  record: DatasetRecord | null
  workspace: string
  knowledge: Key
}

/** The form of operation 2. It sends the changed fields, and then shows what the platform changed in addition. */
export function DatasetSettings({ dataset_id, record, workspace, knowledge }: DatasetSettingsProps) {
  const t = useMessages(datasetMessages)
  const update = useWrite(datasetEndpoints.update)
  const can = usePermission()(datasetEndpoints.update)
  const [saved, setSaved] = useState<{ sent: string[]; own: DatasetChange[] } | null>(null)
  const dialect = useRetrievalDialect(workspace, record?.retrieval_model_dict)
  // The record when editing began: a refetch must not change the base of the comparison.
  const [savedRecord, setSavedRecord] = useState(() => ({
    record,
    typed: record ? toDatasetForm(record) : emptyDatasetForm,
  }))
  const toBody = (formValues: DatasetForm) =>
    toUpdateBody(formValues, savedRecord.typed, { dialect, lastRetrieval: savedRecord.record?.retrieval_model_dict })
  const form = useContractForm({
    schema: withRequiredFields(DatasetUpdate),
    initialValues: savedRecord.typed,
    toBody,
    draftName: `dataset.${dataset_id}`,
    send: (body) => update.mutateAsync({ key: knowledge.id, params: { dataset_id }, body }),
    onDone: (after, sent) => {
      const { record: before } = savedRecord
      setSaved({ sent: Object.keys(sent), own: before ? listPlatformChanges(before, sent, after) : [] })
      const typed = toDatasetForm(after)
      setSavedRecord({ record: after, typed })
      form.form.reset(typed)
    },
  })
  const { isDirty } = form
  // The draft is stored, but a person may believe that it was sent.
  const guard = useLeaveGuard(isDirty)
  return (
    <InlineForm
      form={form}
      action={t('saveWhat')}
      submitLabel={can ? t('saveDo') : undefined}
      isSubmitDisabled={!isDirty}
      buttons={
        can ? (
          <>
            <Button variant="default" onClick={form.discard} disabled={!isDirty}>
              {t('discard')}
            </Button>
            {isDirty ? <StatusBadge status="not saved" /> : null}
            {isDirty ? <p className={fields.note}>{t(form.isDraftSaved ? 'draftKept' : 'draftTooLong')}</p> : null}
          </>
        ) : null
      }
    >
      {record ? null : <p className={fields.note}>{t('onlyId')}</p>}
      <DisabledFieldset isDisabled={!can || form.isPending}>
        <DatasetFields
          form={form.form}
          mode="update"
          dialect={dialect}
          modelListKeyId={knowledge.offers.includes('listModels') ? knowledge.id : undefined}
        />
      </DisabledFieldset>
      {can && isDirty ? (
        <RetrievalPrediction {...{ dataset_id, workspace, toBody }} control={form.form.control} keyId={knowledge.id} />
      ) : null}
      {saved && !isDirty ? <SavedChanges sentFields={saved.sent} platformChanges={saved.own} /> : null}
      {can ? null : <PermissionNote {...getRequiredAccess(datasetEndpoints.update)} />}
      <LeaveDialog guard={guard} title={t('leaveTitle')} leaveLabel={t('leaveDo')} stayLabel={t('leaveStay')}>
        {t('leaveText')}
      </LeaveDialog>
    </InlineForm>
  )
}

interface RetrievalPredictionProps {
  dataset_id: string
  workspace: string
  keyId: string
  control: Control<DatasetForm, unknown, z.output<typeof DatasetUpdate>>
  toBody: (formValues: DatasetForm) => Record<string, unknown>
}

/** The results of the changed retrieval settings; nothing if only other settings changed. */
function RetrievalPrediction({ dataset_id, workspace, keyId, control, toBody }: RetrievalPredictionProps) {
  const formValues = useWatch({ control }) as DatasetForm
  const body = DatasetUpdate.pick({ retrieval_model: true }).safeParse({
    retrieval_model: toBody(formValues)['retrieval_model'],
  })
  if (!body.success || !body.data.retrieval_model) return null
  return (
    <PredictionPanel
      dataset_id={dataset_id}
      workspace={workspace}
      keyId={keyId}
      edit={{ retrieval_model: body.data.retrieval_model }}
    />
  )
}

/** After a save: what was sent, and what the platform changed on its own or did not take. */
function SavedChanges({
  sentFields,
  platformChanges,
}: {
  sentFields: readonly string[]
  platformChanges: readonly DatasetChange[]
}) {
  const t = useMessages(datasetMessages)
  const show = (value: unknown) =>
    value === null || value === undefined || value === '' ? t('notGiven') : formatFieldValue(value)
  return (
    <Paper
      component="section"
      className={blocks.noted}
      data-tone="succeeded"
      px="md"
      py="sm"
      radius="md"
      bg="var(--canvas)"
      fz="sm"
      role="status"
      aria-label={t('savedTitle')}
    >
      <Group gap="xs">
        <IconCircleCheckFilled size={14} aria-hidden="true" />
        {t('saved')} <code>{sentFields.join(', ')}</code>
      </Group>
      {platformChanges.length > 0 ? (
        <>
          <Group gap="xs" mt="xs">
            <IconInfoCircle size={14} aria-hidden="true" />
            {t('unsavedChanges')}
          </Group>
          <Box component="dl" ff="monospace" fz="xs" style={{ overflowWrap: 'anywhere' }}>
            {platformChanges.map((change) => (
              <Group key={change.field} gap="xs">
                <Text component="dt" inherit c="dimmed">
                  {change.field}
                </Text>
                <dd>
                  {'requested' in change
                    ? t('askedAndAnswered', { asked: show(change.requested), after: show(change.after) })
                    : t('wasAndIs', { before: show(change.before), after: show(change.after) })}
                </dd>
              </Group>
            ))}
          </Box>
        </>
      ) : (
        <Text fz="sm" mt="xs">
          {t('noOtherChange')}
        </Text>
      )}
    </Paper>
  )
}

const formatFieldValue = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))
