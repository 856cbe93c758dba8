import { Button, Drawer } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { useTranslations } from 'use-intl'
import { DocumentCreate } from '#contract/documents.ts'
import { contract } from '#contract/index.ts'
import fields from '../../ui/fields/Fields.module.css'
import { resolverOf } from '../../ui/fields/resolver.ts'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { useWrite } from '../../wire/query.ts'
import { DocumentFields } from './DocumentFields.tsx'
import { dropDraft, keepDraft, readDraft } from './draft.ts'
import { bodyOf, emptyDocument, type TypedDocument } from './typed.ts'

export interface CreateDocumentProps {
  opened: boolean
  onClose: () => void
  dataset_id: string
  keyId: string
  /** The dataset's own `indexing_technique`, where it is known: the proposal for its documents. */
  technique: string | null
}

/** Operation 3. What is typed is kept in the tab until the platform has taken it. */
export function CreateDocument({ opened, onClose, dataset_id, keyId, technique }: CreateDocumentProps) {
  const t = useTranslations('documents')
  const create = useWrite(contract.documents.createByText)
  const [isKept, setKept] = useState(true)
  const fresh = { ...emptyDocument, indexing_technique: technique ?? emptyDocument.indexing_technique }
  const [begin] = useState(() => readDraft(sessionStorage, dataset_id) ?? fresh)
  const form = useForm({
    defaultValues: begin,
    resolver: resolverOf(DocumentCreate, bodyOf),
  })
  const keep = useDebouncedCallback((typed: TypedDocument) => setKept(keepDraft(sessionStorage, dataset_id, typed)), {
    delay: 300,
    flushOnUnmount: true,
  })
  const { subscribe } = form
  useEffect(
    () =>
      subscribe({
        formState: { values: true, dirtyFields: true },
        callback: ({ values, name }) => {
          if (name) keep(values)
        },
      }),
    [subscribe, keep],
  )

  const reset = () => {
    keep.cancel()
    dropDraft(sessionStorage, dataset_id)
    form.reset(fresh)
    create.reset()
  }
  const submit = form.handleSubmit((body) =>
    create.mutate(
      { key: keyId, params: { dataset_id }, body },
      {
        onSuccess: () => {
          reset()
          onClose()
        },
      },
    ),
  )
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      title={t('addTitle')}
      size={720}
      keepMounted
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <form
        className={fields.form}
        onSubmit={(event) => void submit(event)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) void submit(event)
        }}
        noValidate
      >
        <DocumentFields form={form} />
        {create.error ? <ProblemNote problem={create.error.problem} what={t('addWhat')} /> : null}
        <div className={fields.buttons}>
          <Button type="submit" loading={create.isPending}>
            {t('addDo')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button variant="subtle" color="gray" onClick={reset}>
            {t('discard')}
          </Button>
          <p className={fields.note}>{t(isKept ? 'draftKept' : 'draftTooLong')}</p>
        </div>
      </form>
    </Drawer>
  )
}
