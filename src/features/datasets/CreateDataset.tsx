import { Button, Drawer } from '@mantine/core'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useNavigate } from 'react-router'
import type { Key } from '#contract/console.ts'
import { DatasetCreate } from '#contract/datasets.ts'
import { contract } from '#contract/index.ts'
import { paths } from '../../paths.ts'
import { readDraft } from '../../ui/fields/draft.ts'
import fields from '../../ui/fields/Fields.module.css'
import { resolverOf } from '../../ui/fields/resolver.ts'
import { useDraft } from '../../ui/fields/useDraft.ts'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { useWords } from '../../ui/words.ts'
import { useWrite } from '../../wire/query.ts'
import { DatasetFields } from './DatasetFields.tsx'
import { demanding } from './demand.ts'
import { datasetsWords } from './messages.ts'
import { createOf, emptyDataset, type TypedDataset } from './typed.ts'
import { useSpeech } from './useSpeech.ts'

export interface CreateDatasetProps {
  opened: boolean
  onClose: () => void
  workspace: string
  /** The knowledge key; undefined where the workspace has none. */
  knowledge: Key | undefined
}

/** Operation 1. What was typed is kept in the tab until the platform has taken it. */
export function CreateDataset({ opened, onClose, workspace, knowledge }: CreateDatasetProps) {
  const t = useWords(datasetsWords)
  const navigate = useNavigate()
  const create = useWrite(contract.datasets.create)
  const heard = useSpeech(workspace)
  const name = `dataset.new.${workspace}`
  const [begin] = useState(() => ({ ...emptyDataset, ...readDraft<TypedDataset>(sessionStorage, name) }))
  const form = useForm({
    defaultValues: begin,
    resolver: resolverOf(demanding(DatasetCreate), (typed: TypedDataset) => createOf(typed, heard)),
  })
  const draft = useDraft(form, name)
  const discard = () => {
    draft.drop()
    form.reset(emptyDataset)
    create.reset()
  }
  const submit = form.handleSubmit((body) =>
    create.mutate(
      { key: knowledge?.id, body },
      {
        onSuccess: ({ id }) => {
          draft.drop()
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
          of="create"
          heard={heard}
          listedBy={knowledge?.offers.includes('listModels') ? knowledge.id : undefined}
        />
        {create.error ? <ProblemNote problem={create.error.problem} what={t('createWhat')} isAtForm /> : null}
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
