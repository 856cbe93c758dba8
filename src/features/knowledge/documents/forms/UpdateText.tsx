import { useDeferredValue, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { DocumentUpdate, documentEndpoints } from '#contract/platform/documents.ts'
import { type DocumentRecord, hasProcessRule } from '#domain/documentRecord.ts'
import { readFormDraft } from '../../../../components/forms/formDraftStorage.ts'
import { DisabledFieldset } from '../../../../components/forms/DisabledFieldset.tsx'
import fields from '../../../../components/forms/Fields.module.css'
import { createBodyResolver } from '../../../../components/forms/requestBodyResolver.ts'
import { useFormDraft } from '../../../../components/forms/useFormDraft.ts'
import { ProblemAlert } from '../../../../components/layout/ProblemAlert.tsx'
import { RelativeTime } from '../../../../components/data/RelativeTime.tsx'
import { TextDiff } from '../../../../components/data/textDiff/TextDiff.tsx'
import { useWrite } from '../../../../client/query.ts'
import { useMeasuredChunks } from '../../chunkLab/useMeasuredChunks.ts'
import { withRequiredDocumentFields, emptyDocumentForm, toTextUpdateBody, type DocumentForm } from './documentForm.ts'
import { DocumentFields } from './DocumentFields.tsx'
import type { DocumentHistory } from '../documentHistory.ts'
import { LostEdits } from '../LostEdits.tsx'
import { FormButtons } from './FormButtons.tsx'
import { useChunkEstimates } from './ChunkLabSection.tsx'
import type { OnSent } from '../SentDocuments.tsx'
import { useWhenAvailable } from '../../indexing/SendWhenAvailable.tsx'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import { documentMessages } from '../messages.ts'

export interface UpdateFormProps {
  dataset_id: string
  document_id: string
  keyId: string
  /** Whether the platform lists segments. */
  canListSegments: boolean
  /** The dataset's `indexing_technique`; an update does not send it. */
  technique: string | null
  record: DocumentRecord | null
  history: DocumentHistory
  onSent: OnSent
  onClose: () => void
}

/** Operation 4: begins with the last text that this console knows, and shows what changes in it. */
export function UpdateText(props: UpdateFormProps) {
  const { dataset_id, document_id, keyId, canListSegments, technique, record, history, onSent, onClose } = props
  const t = useMessages(documentMessages)
  const measuredChunks = useMeasuredChunks({ dataset_id, document_id, keyId, canListSegments, record })
  const name = `document.${document_id}`
  const emptyForm: DocumentForm = {
    ...emptyDocumentForm,
    name: record?.name ?? history.name ?? '',
    text: history.text ?? '',
    indexing_technique: technique ?? emptyDocumentForm.indexing_technique,
    doc_form: record?.doc_form ?? emptyDocumentForm.doc_form,
    process_rule: { ...emptyDocumentForm.process_rule, mode: '' },
  }
  const [initialValues] = useState(() => ({ ...emptyForm, ...readFormDraft<DocumentForm>(sessionStorage, name) }))
  const hasRule = hasProcessRule(record)
  const form = useForm({
    defaultValues: initialValues,
    resolver: createBodyResolver(withRequiredDocumentFields(DocumentUpdate, hasRule), toTextUpdateBody),
  })
  const draft = useFormDraft(form, name)
  const estimates = useChunkEstimates()
  const text = useDeferredValue(useWatch({ control: form.control, name: 'text' }))
  const update = useWrite(documentEndpoints.updateByText, {
    onDone: (_, { body }) => {
      onSent(document_id, estimates.find(body.text ?? '', body))
      draft.discard()
      onClose()
    },
  })
  const discard = () => {
    draft.discard()
    form.reset(emptyForm)
    update.reset()
  }
  const submit = form.handleSubmit((body) => update.mutate({ key: keyId, params: { dataset_id, document_id }, body }))
  const waiting = useWhenAvailable(record, () => void submit())
  return (
    <form
      className={fields.form}
      onSubmit={(event) => {
        event.preventDefault()
        waiting.send()
      }}
      noValidate
    >
      <p className={fields.note}>
        {history.sentAt
          ? t.rich(history.supersededBy ? 'textOvertaken' : 'textKnown', {
              person: history.person ?? t('theConsole'),
              since: () => <RelativeTime at={history.sentAt} />,
              file: () => <RelativeTime at={history.supersededBy} />,
            })
          : t('textUnknown')}
      </p>
      <DisabledFieldset isDisabled={update.isPending}>
        <DocumentFields
          form={form}
          fieldSet="name and text"
          mode="update"
          hasRule={hasRule}
          measuredChunks={measuredChunks}
          estimates={estimates}
        />
      </DisabledFieldset>
      {history.text !== null && text !== history.text ? <TextDiff before={history.text} after={text} /> : null}
      <LostEdits edits={history.edits} />
      {update.error ? <ProblemAlert problem={update.error.problem} action={t('updateWhat')} isInForm /> : null}
      <FormButtons
        waiting={waiting}
        record={record}
        isPending={update.isPending}
        label={t('updateDo', { n: history.edits.length })}
        onClose={onClose}
        onDiscard={discard}
        note={t(draft.isSaved ? 'draftKept' : 'draftTooLong')}
      />
    </form>
  )
}
