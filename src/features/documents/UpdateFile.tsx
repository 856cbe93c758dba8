import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { DocumentFileUpdate } from '#contract/documents.ts'
import { contract } from '#contract/index.ts'
import { readDraft } from '../../ui/fields/draft.ts'
import fields from '../../ui/fields/Fields.module.css'
import { resolverOf } from '../../ui/fields/resolver.ts'
import { useDraft } from '../../ui/fields/useDraft.ts'
import { call } from '../../wire/call.ts'
import { useMeasured } from '../../wire/useMeasured.ts'
import { demanding } from './demand.ts'
import { DocumentFields } from './DocumentFields.tsx'
import { FilesField } from './FilesField.tsx'
import { LostEdits } from './LostEdits.tsx'
import { SendButtons } from './SendButtons.tsx'
import { emptyDocument, fileUpdateOf, type TypedDocument } from './typed.ts'
import type { UpdateProps } from './UpdateText.tsx'
import { useEstimates } from './useEstimates.ts'
import { useUploads } from './useUploads.ts'
import { useWhenAvailable } from '../../ui/indexing/useWhenAvailable.ts'
import { useWords } from '../../ui/words.ts'
import { documentsWords } from './messages.ts'

/** Operation 5: one file, with the progress of its bytes; it can be cancelled while they go. */
export function UpdateFile(props: UpdateProps) {
  const { dataset_id, document_id, keyId, isListed, record, history, onSent, onClose } = props
  const t = useWords(documentsWords)
  const name = `document.file.${document_id}`
  const fresh: TypedDocument = {
    ...emptyDocument,
    doc_form: record?.doc_form ?? emptyDocument.doc_form,
    process_rule: { ...emptyDocument.process_rule, mode: '' },
  }
  const [begin] = useState(() => ({ ...fresh, ...readDraft<TypedDocument>(sessionStorage, name) }))
  const form = useForm({ defaultValues: begin, resolver: resolverOf(demanding(DocumentFileUpdate), fileUpdateOf) })
  const draft = useDraft(form, name)
  const estimates = useEstimates()
  const measured = useMeasured({ dataset_id, document_id, keyId, isListed, record })
  const uploads = useUploads(
    contract.documents.updateByFile,
    async (file, options) => {
      const data = DocumentFileUpdate.parse(fileUpdateOf(form.getValues()))
      const estimate = estimates.of(file, data)
      const target = { key: keyId, params: { dataset_id, document_id }, body: { data, file } }
      await call(contract.documents.updateByFile, target, options)
      onSent(document_id, estimate)
    },
    {
      isSingle: true,
      onDone: () => {
        draft.drop()
        onClose()
      },
    },
  )
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
      <FilesField uploads={uploads} isSingle />
      <DocumentFields
        form={form}
        has="name"
        of="update"
        files={uploads.uploads.map(({ file }) => file)}
        estimates={estimates}
        measured={measured}
      />
      <LostEdits edits={history.edits} />
      <SendButtons
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
