import { Button, Drawer } from '@mantine/core'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useNavigate } from 'react-router'
import { DatasetCreate, datasetEndpoints } from '#contract/platform/datasets.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { paths } from '#domain/paths.ts'
import { readFormDraft } from '../../../components/forms/formDraftStorage.ts'
import fields from '../../../components/forms/Fields.module.css'
import { createBodyResolver } from '../../../components/forms/requestBodyResolver.ts'
import { useFormDraft } from '../../../components/forms/useFormDraft.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useWrite } from '../../../client/query.ts'
import { DatasetFields } from './DatasetFields.tsx'
import { withRequiredFields, toCreateBody, emptyDatasetForm, type DatasetForm } from './datasetForm.ts'
import { datasetMessages } from './messages.ts'
import { useRetrievalDialect } from './useRetrievalDialect.ts'

export interface CreateDatasetProps {
  opened: boolean
  onClose: () => void
  workspace: string
  /** The knowledge key; undefined where the workspace has none. */
  knowledge: Key | undefined
}

/** Operation 1. The input is a draft in session storage until the platform has accepted it. */
export function CreateDataset({ opened, onClose, workspace, knowledge }: CreateDatasetProps) {
  const t = useMessages(datasetMessages)
  const navigate = useNavigate()
  const create = useWrite(datasetEndpoints.create)
  const dialect = useRetrievalDialect(workspace)
  const name = `dataset.new.${workspace}`
  const [initialValues] = useState(() => ({ ...emptyDatasetForm, ...readFormDraft<DatasetForm>(sessionStorage, name) }))
  const form = useForm({
    defaultValues: initialValues,
    resolver: createBodyResolver(withRequiredFields(DatasetCreate), (formValues: DatasetForm) =>
      toCreateBody(formValues, dialect),
    ),
  })
  const draft = useFormDraft(form, name)
  const discard = () => {
    draft.discard()
    form.reset(emptyDatasetForm)
    create.reset()
  }
  const submit = form.handleSubmit((body) =>
    create.mutate(
      { key: knowledge?.id, body },
      {
        onSuccess: ({ id }) => {
          draft.discard()
          void navigate(paths.dataset(id, { workspace }))
        },
      },
    ),
  )
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      title={t('createTitle')}
      size={560}
      keepMounted
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <form className={fields.form} onSubmit={(event) => void submit(event)} noValidate>
        <DatasetFields
          form={form}
          mode="create"
          dialect={dialect}
          modelListKeyId={knowledge?.offers.includes('listModels') ? knowledge.id : undefined}
        />
        {create.error ? <ProblemAlert problem={create.error.problem} action={t('createWhat')} isInForm /> : null}
        {knowledge ? null : <p className={fields.note}>{t('noKey')}</p>}
        <div className={fields.buttons}>
          <Button type="submit" loading={create.isPending} disabled={!knowledge}>
            {t('createDo')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button variant="subtle" color="gray" onClick={discard}>
            {t('discard')}
          </Button>
          <p className={fields.note}>{t('draftKept')}</p>
        </div>
      </form>
    </Drawer>
  )
}
