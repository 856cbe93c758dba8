import { Button, Modal, TextInput } from '@mantine/core'
import { useForm } from 'react-hook-form'
import { useNavigate } from 'react-router'
import { resourceEndpoints } from '#contract/console/resources.ts'
import { paths } from '#domain/paths.ts'
import fields from '../../../components/forms/Fields.module.css'
import { registerField } from '../../../components/forms/registerField.tsx'
import { createBodyResolver } from '../../../components/forms/requestBodyResolver.ts'
import { parseTextField } from '../../../components/forms/fieldParsers.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useWrite } from '../../../client/query.ts'
import { datasetMessages } from './messages.ts'

interface AdoptDatasetForm {
  id: string
  label: string
}

export interface AdoptDatasetProps {
  opened: boolean
  onClose: () => void
  workspace: string
}

/** Takes the id of a dataset that this console has not seen, so that it stands in the list. */
export function AdoptDataset({ opened, onClose, workspace }: AdoptDatasetProps) {
  const t = useMessages(datasetMessages)
  const navigate = useNavigate()
  const adopt = useWrite(resourceEndpoints.adoptResource)
  const form = useForm({
    defaultValues: { id: '', label: '' },
    resolver: createBodyResolver(resourceEndpoints.adoptResource.body, ({ id, label }: AdoptDatasetForm) => ({
      kind: 'dataset',
      workspace,
      id: id.trim(),
      label: parseTextField(label),
    })),
  })
  const submit = form.handleSubmit((body) =>
    adopt.mutate({ body }, { onSuccess: ({ id }) => void navigate(paths.dataset(id, { workspace })) }),
  )
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('adoptTitle')}
      keepMounted
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <form className={fields.form} onSubmit={(event) => void submit(event)} noValidate>
        <p className={fields.note}>{t('adoptText')}</p>
        <TextInput
          {...registerField(form, 'id')}
          label={t('adoptId')}
          required
          data-autofocus
          autoComplete="off"
          spellCheck={false}
        />
        <TextInput {...registerField(form, 'label')} label={t('adoptLabel')} description={t('adoptLabelHelp')} />
        {adopt.error ? <ProblemAlert problem={adopt.error.problem} action={t('adoptWhat')} /> : null}
        <div className={fields.buttons}>
          <Button type="submit" loading={adopt.isPending}>
            {t('adoptDo')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
        </div>
      </form>
    </Modal>
  )
}
