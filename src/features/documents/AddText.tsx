import { Button } from '@mantine/core'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { DocumentCreate } from '#contract/documents.ts'
import { contract } from '#contract/index.ts'
import { readDraft } from '../../ui/fields/draft.ts'
import fields from '../../ui/fields/Fields.module.css'
import { resolverOf } from '../../ui/fields/resolver.ts'
import { useDraft } from '../../ui/fields/useDraft.ts'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { useWords } from '../../ui/words.ts'
import { useWrite } from '../../wire/query.ts'
import { demanding } from './demand.ts'
import { DocumentFields } from './DocumentFields.tsx'
import { documentsWords } from './messages.ts'
import type { Passages } from './PassagesFold.tsx'
import { bodyOf, emptyDocument, type TypedDocument } from './typed.ts'
import type { OnSent } from './useSent.ts'
import { useEstimates } from './useEstimates.ts'

export interface AddProps {
  dataset_id: string
  keyId: string
  technique: string | null
  passages: Passages
  onSent: OnSent
  onClose: () => void
}

/** Operation 3. What is typed is kept in the tab until the platform has taken it. */
export function AddText({ dataset_id, keyId, technique, passages, onSent, onClose }: AddProps) {
  const t = useWords(documentsWords)
  const create = useWrite(contract.documents.createByText)
  const name = `document.new.${dataset_id}`
  const fresh = { ...emptyDocument, indexing_technique: technique ?? emptyDocument.indexing_technique }
  const [begin] = useState(() => ({ ...fresh, ...readDraft<TypedDocument>(sessionStorage, name) }))
  const form = useForm({
    defaultValues: begin,
    resolver: resolverOf(demanding(DocumentCreate), (typed: TypedDocument) => bodyOf(typed, passages.heard)),
  })
  const draft = useDraft(form, name)
  const estimates = useEstimates()
  const reset = () => {
    draft.drop()
    form.reset(fresh)
    create.reset()
  }
  const submit = form.handleSubmit((body) =>
    create.mutate(
      { key: keyId, params: { dataset_id }, body },
      {
        onSuccess: ({ document }) => {
          const estimate = estimates.of(body.text, body)
          if (estimate) onSent(document.id, estimate)
          reset()
          onClose()
        },
      },
    ),
  )
  return (
    <form
      className={fields.form}
      onSubmit={(event) => void submit(event)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) void submit(event)
      }}
      noValidate
    >
      <DocumentFields form={form} has="name and text" of="create" passages={passages} estimates={estimates} />
      {create.error ? <ProblemNote problem={create.error.problem} what={t('addWhat')} isAtForm /> : null}
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
        <p className={fields.note}>{t(draft.isKept ? 'draftKept' : 'draftTooLong')}</p>
      </div>
    </form>
  )
}
