import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useTranslations } from 'use-intl'
import { DocumentFileUpdate } from '#contract/documents.ts'
import { contract } from '#contract/index.ts'
import { readDraft } from '../../ui/fields/draft.ts'
import fields from '../../ui/fields/Fields.module.css'
import { resolverOf } from '../../ui/fields/resolver.ts'
import { useDraft } from '../../ui/fields/useDraft.ts'
import { call } from '../../wire/call.ts'
import { demanding } from './demand.ts'
import { DocumentFields } from './DocumentFields.tsx'
import { FilesField } from './FilesField.tsx'
import { LostEdits } from './LostEdits.tsx'
import { SendButtons } from './SendButtons.tsx'
import { emptyDocument, fileUpdateOf, type TypedDocument } from './typed.ts'
import type { UpdateProps } from './UpdateText.tsx'
import { useUploads } from './useUploads.ts'
import { useWhenAvailable } from './useWhenAvailable.ts'

/** Operation 5: one file, with the progress of its bytes; it can be cancelled while they go. */
export function UpdateFile({ dataset_id, document_id, keyId, record, history, onClose }: UpdateProps) {
  const t = useTranslations('documents')
  const name = `document.file.${document_id}`
  const fresh: TypedDocument = {
    ...emptyDocument,
    doc_form: record?.doc_form ?? emptyDocument.doc_form,
    process_rule: { ...emptyDocument.process_rule, mode: '' },
  }
  const [begin] = useState(() => ({ ...fresh, ...readDraft<TypedDocument>(sessionStorage, name) }))
  const form = useForm({ defaultValues: begin, resolver: resolverOf(demanding(DocumentFileUpdate), fileUpdateOf) })
  const draft = useDraft(form, name)
  const uploads = useUploads(
    contract.documents.updateByFile,
    (file, options) =>
      call(
        contract.documents.updateByFile,
        {
          key: keyId,
          params: { dataset_id, document_id },
          body: { data: DocumentFileUpdate.parse(fileUpdateOf(form.getValues())), file },
        },
        options,
      ),
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
      <DocumentFields form={form} has="name" of="update" file={uploads.uploads[0]?.file ?? null} />
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
