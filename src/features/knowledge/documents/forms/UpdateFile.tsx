import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { DocumentFileUpdate, documentEndpoints } from '#contract/platform/documents.ts'
import { hasProcessRule } from '#domain/documentRecord.ts'
import { readFormDraft } from '../../../../components/forms/formDraftStorage.ts'
import fields from '../../../../components/forms/Fields.module.css'
import { createBodyResolver } from '../../../../components/forms/requestBodyResolver.ts'
import { useFormDraft } from '../../../../components/forms/useFormDraft.ts'
import { call } from '../../../../client/http.ts'
import { useMeasuredChunks } from '../../chunkLab/useMeasuredChunks.ts'
import { withRequiredDocumentFields, emptyDocumentForm, toFileUpdateBody, type DocumentForm } from './documentForm.ts'
import { DocumentFields } from './DocumentFields.tsx'
import { DocumentFilesField } from './DocumentFilesField.tsx'
import { LostEdits } from '../LostEdits.tsx'
import { FormButtons } from './FormButtons.tsx'
import type { UpdateFormProps } from './UpdateText.tsx'
import { useChunkEstimates } from './ChunkLabSection.tsx'
import { useUploadQueue } from './useUploadQueue.ts'
import { useWhenAvailable } from '../../indexing/SendWhenAvailable.tsx'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import { documentMessages } from '../messages.ts'

export interface UpdateFileProps extends UpdateFormProps {
  /** Tells whether a file is chosen, which is lost where the form is closed: a text is kept as a draft. */
  onHasFile: (hasFile: boolean) => void
}

/** Operation 5: one file, with the progress of its bytes; it can be cancelled while they go. */
export function UpdateFile(props: UpdateFileProps) {
  const { dataset_id, document_id, keyId, canListSegments, technique, record, history, onSent, onClose, onHasFile } =
    props
  const t = useMessages(documentMessages)
  const name = `document.file.${document_id}`
  const emptyForm: DocumentForm = {
    ...emptyDocumentForm,
    // Without a name the platform takes the file's, and two documents may have the same.
    name: record?.name ?? '',
    indexing_technique: technique ?? emptyDocumentForm.indexing_technique,
    doc_form: record?.doc_form ?? emptyDocumentForm.doc_form,
    process_rule: { ...emptyDocumentForm.process_rule, mode: '' },
  }
  const [initialValues] = useState(() => ({ ...emptyForm, ...readFormDraft<DocumentForm>(sessionStorage, name) }))
  const hasRule = hasProcessRule(record)
  const form = useForm({
    defaultValues: initialValues,
    resolver: createBodyResolver(withRequiredDocumentFields(DocumentFileUpdate, hasRule), toFileUpdateBody),
  })
  const draft = useFormDraft(form, name)
  const estimates = useChunkEstimates()
  const measuredChunks = useMeasuredChunks({ dataset_id, document_id, keyId, canListSegments, record })
  const uploads = useUploadQueue(
    documentEndpoints.updateByFile,
    async (file, options) => {
      const data = DocumentFileUpdate.parse(toFileUpdateBody(form.getValues()))
      const estimate = estimates.find(file, data)
      const target = { key: keyId, params: { dataset_id, document_id }, body: { data, file } }
      await call(documentEndpoints.updateByFile, target, options)
      onSent(document_id, estimate)
    },
    {
      isSingle: true,
      onDone: () => {
        draft.discard()
        onClose()
      },
    },
  )
  const hasFile = uploads.uploads.length > 0
  useEffect(() => onHasFile(hasFile), [hasFile, onHasFile])
  const submit = form.handleSubmit(() => uploads.start())
  const waiting = useWhenAvailable(record, () => void submit())
  const isReady = uploads.uploads.some(({ state }) => state === 'ready')
  return (
    <form
      className={fields.form}
      onSubmit={(event) => {
        event.preventDefault()
        waiting.send()
      }}
      noValidate
    >
      <DocumentFilesField uploads={uploads} isSingle />
      <DocumentFields
        form={form}
        fieldSet="name"
        mode="update"
        hasRule={hasRule}
        files={uploads.uploads.map(({ file }) => file)}
        estimates={estimates}
        measuredChunks={measuredChunks}
      />
      <LostEdits edits={history.edits} />
      <FormButtons
        waiting={waiting}
        record={record}
        isPending={uploads.isBusy}
        isDisabled={!isReady}
        label={t('updateDo', { n: history.edits.length })}
        onClose={onClose}
        note={t('filesNote')}
      />
    </form>
  )
}
