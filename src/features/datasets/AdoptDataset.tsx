import { Button, Modal, TextInput } from '@mantine/core'
import { useForm } from 'react-hook-form'
import { useNavigate } from 'react-router'
import { contract } from '#contract/index.ts'
import { paths } from '../../paths.ts'
import fields from '../../ui/fields/Fields.module.css'
import { field } from '../../ui/fields/field.ts'
import { resolverOf } from '../../ui/fields/resolver.ts'
import { textOf } from '../../ui/fields/typed.ts'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { useWords } from '../../ui/words.ts'
import { useWrite } from '../../wire/query.ts'
import { datasetsWords } from './messages.ts'

interface Typed {
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
  const t = useWords(datasetsWords)
  const navigate = useNavigate()
  const adopt = useWrite(contract.console.adoptThing)
  const form = useForm({
    defaultValues: { id: '', label: '' },
    resolver: resolverOf(contract.console.adoptThing.body, ({ id, label }: Typed) => ({
      kind: 'dataset',
      workspace,
      id: id.trim(),
      label: textOf(label),
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
          {...field(form, 'id')}
          label={t('adoptId')}
          required
          data-autofocus
          autoComplete="off"
          spellCheck={false}
        />
        <TextInput {...field(form, 'label')} label={t('adoptLabel')} description={t('adoptLabelHelp')} />
        {adopt.error ? <ProblemNote problem={adopt.error.problem} what={t('adoptWhat')} /> : null}
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
