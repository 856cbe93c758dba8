import { Button } from '@mantine/core'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { DocumentCreate } from '#contract/platform/documents.ts'
import { contract } from '#contract/index.ts'
import { readFormDraft } from '../../../../components/forms/formDraftStorage.ts'
import fields from '../../../../components/forms/Fields.module.css'
import { createBodyResolver } from '../../../../components/forms/requestBodyResolver.ts'
import { useFormDraft } from '../../../../components/forms/useFormDraft.ts'
import { ProblemAlert } from '../../../../components/layout/ProblemAlert.tsx'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import { useWrite } from '../../../../client/query.ts'
import { withRequiredDocumentFields } from './documentRequirements.ts'
import { DocumentFields } from './DocumentFields.tsx'
import { documentMessages } from '../messages.ts'
import type { RetrievalContext } from './RetrievalSection.tsx'
import { toCreateTextBody, emptyDocumentForm, type DocumentForm } from './documentForm.ts'
import type { OnSent } from '../useSentDocuments.ts'
import { useChunkEstimates } from './useChunkEstimates.ts'

export interface AddTextProps {
  dataset_id: string
  keyId: string
  technique: string | null
  retrievalContext: RetrievalContext
  onSent: OnSent
  onClose: () => void
}

/** Operation 3. What is typed is kept in the tab until the platform has taken it. */
export function AddText({ dataset_id, keyId, technique, retrievalContext, onSent, onClose }: AddTextProps) {
  const t = useMessages(documentMessages)
  const create = useWrite(contract.documents.createByText)
  const name = `document.new.${dataset_id}`
  const emptyForm = { ...emptyDocumentForm, indexing_technique: technique ?? emptyDocumentForm.indexing_technique }
  const [initialValues] = useState(() => ({ ...emptyForm, ...readFormDraft<DocumentForm>(sessionStorage, name) }))
  const form = useForm({
    defaultValues: initialValues,
    resolver: createBodyResolver(withRequiredDocumentFields(DocumentCreate), (formValues: DocumentForm) =>
      toCreateTextBody(formValues, retrievalContext.dialect),
    ),
  })
  const draft = useFormDraft(form, name)
  const estimates = useChunkEstimates()
  const reset = () => {
    draft.discard()
    form.reset(emptyForm)
    create.reset()
  }
  const submit = form.handleSubmit((body) =>
    create.mutate(
      { key: keyId, params: { dataset_id }, body },
      {
        onSuccess: ({ document }) => {
          const estimate = estimates.find(body.text, body)
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
      <DocumentFields
        form={form}
        fieldSet="name and text"
        mode="create"
        retrievalContext={retrievalContext}
        estimates={estimates}
      />
      {create.error ? <ProblemAlert problem={create.error.problem} action={t('addWhat')} isInForm /> : null}
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
        <p className={fields.note}>{t(draft.isSaved ? 'draftKept' : 'draftTooLong')}</p>
      </div>
    </form>
  )
}
