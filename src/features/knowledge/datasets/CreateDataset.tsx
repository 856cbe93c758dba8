import { Button, TextInput } from '@mantine/core'
import { useNavigate } from 'react-router'
import type { Key } from '#contract/console/workspaces.ts'
import { DatasetCreate, datasetEndpoints } from '#contract/platform/datasets.ts'
import { paths } from '#domain/paths.ts'
import { useWrite } from '../../../client/query.ts'
import fields from '../../../components/forms/Fields.module.css'
import { FormDrawer } from '../../../components/forms/FormDrawer.tsx'
import { useContractForm } from '../../../components/forms/useContractForm.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { DatasetFields } from './DatasetFields.tsx'
import { emptyDatasetForm, toCreateBody, withRequiredFields } from './datasetForm.ts'
import { datasetMessages } from './messages.ts'
import { useRetrievalDialect } from './useRetrievalDialect.ts'
import { resourceEndpoints } from '#contract/console/resources.ts'
import { parseTextField } from '../../../components/forms/fieldParsers.ts'
import { FormDialog } from '../../../components/forms/FormDialog.tsx'

export interface CreateDatasetProps {
  onClose: () => void
  workspace: string
  knowledge: Key | undefined
}

/** Operation 1. The input is a draft in session storage until the platform has accepted it. */
export function CreateDataset({ onClose, workspace, knowledge }: CreateDatasetProps) {
  const t = useMessages(datasetMessages)
  const navigate = useNavigate()
  const create = useWrite(datasetEndpoints.create)
  const dialect = useRetrievalDialect(workspace)
  const form = useContractForm({
    schema: withRequiredFields(DatasetCreate),
    initialValues: emptyDatasetForm,
    toBody: (values) => toCreateBody(values, dialect),
    draftName: `dataset.new.${workspace}`,
    send: (body) => create.mutateAsync({ key: knowledge?.id, body }),
    onDone: ({ id }) => void navigate(paths.dataset(id, { workspace })),
  })
  return (
    <FormDrawer
      form={form}
      title={t('createTitle')}
      submitLabel={t('createDo')}
      isSubmitDisabled={!knowledge}
      action={t('createWhat')}
      onClose={onClose}
      buttons={
        <>
          <Button variant="subtle" color="gray" onClick={form.discard}>
            {t('discard')}
          </Button>
          <p className={fields.note}>{t('draftKept')}</p>
        </>
      }
    >
      <DatasetFields
        form={form.form}
        mode="create"
        dialect={dialect}
        modelListKeyId={knowledge?.offers.includes('listModels') ? knowledge.id : undefined}
      />
      {knowledge ? null : <p className={fields.note}>{t('noKey')}</p>}
    </FormDrawer>
  )
}

interface AdoptDatasetProps {
  onClose: () => void
  workspace: string
}

/** Adds the id of a dataset that this console has not seen to the list. */
export function AdoptDataset({ onClose, workspace }: AdoptDatasetProps) {
  const t = useMessages(datasetMessages)
  const navigate = useNavigate()
  const adopt = useWrite(resourceEndpoints.adoptResource)
  const form = useContractForm({
    schema: resourceEndpoints.adoptResource.body,
    initialValues: { id: '', label: '' },
    toBody: ({ id, label }) => ({ kind: 'dataset', workspace, id: id.trim(), label: parseTextField(label) }),
    send: (body) => adopt.mutateAsync({ body }),
    onDone: ({ id }) => void navigate(paths.dataset(id, { workspace })),
  })
  return (
    <FormDialog
      form={form}
      title={t('adoptTitle')}
      submitLabel={t('adoptDo')}
      action={t('adoptWhat')}
      onClose={onClose}
    >
      <p className={fields.note}>{t('adoptText')}</p>
      <TextInput
        {...form.field('id')}
        label={t('adoptId')}
        required
        data-autofocus
        autoComplete="off"
        spellCheck={false}
      />
      <TextInput {...form.field('label')} label={t('adoptLabel')} description={t('adoptLabelHelp')} />
    </FormDialog>
  )
}
