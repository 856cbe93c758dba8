import { TextInput } from '@mantine/core'
import { useNavigate } from 'react-router'
import { resourceEndpoints } from '#contract/console/resources.ts'
import { paths } from '#domain/paths.ts'
import { useWrite } from '../../../client/query.ts'
import { parseTextField } from '../../../components/forms/fieldParsers.ts'
import fields from '../../../components/forms/Fields.module.css'
import { FormDialog } from '../../../components/forms/FormDialog.tsx'
import { useContractForm } from '../../../components/forms/useContractForm.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { datasetMessages } from './messages.ts'

export interface AdoptDatasetProps {
  onClose: () => void
  workspace: string
}

/** Takes the id of a dataset that this console has not seen, so that it stands in the list. */
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
