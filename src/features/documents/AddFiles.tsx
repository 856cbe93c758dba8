import { Button } from '@mantine/core'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { DocumentFileCreate } from '#contract/adjacent/documents.ts'
import { contract } from '#contract/index.ts'
import { readDraft } from '../../ui/fields/draft.ts'
import fields from '../../ui/fields/Fields.module.css'
import { resolverOf } from '../../ui/fields/resolver.ts'
import { useDraft } from '../../ui/fields/useDraft.ts'
import { useWords } from '../../ui/words.ts'
import { call } from '../../wire/call.ts'
import type { AddProps } from './AddText.tsx'
import { demanding } from './demand.ts'
import { DocumentFields } from './DocumentFields.tsx'
import { FilesField } from './FilesField.tsx'
import { documentsWords } from './messages.ts'
import { emptyDocument, settingsOf, type TypedDocument } from './typed.ts'
import { useEstimates } from './useEstimates.ts'
import { useUploads } from './useUploads.ts'

/** Documents made from files, several at once with the same settings, where the platform offers it. */
export function AddFiles({ dataset_id, keyId, technique, passages, onSent, onClose }: AddProps) {
  const t = useWords(documentsWords)
  const sentOf = (typed: TypedDocument) => settingsOf(typed, passages.heard)
  const name = `document.files.${dataset_id}`
  const fresh = { ...emptyDocument, indexing_technique: technique ?? emptyDocument.indexing_technique }
  const [begin] = useState(() => ({ ...fresh, ...readDraft<TypedDocument>(sessionStorage, name) }))
  const form = useForm({ defaultValues: begin, resolver: resolverOf(demanding(DocumentFileCreate), sentOf) })
  useDraft(form, name)
  const estimates = useEstimates()
  const uploads = useUploads(contract.adjacent.createByFile, async (file, options) => {
    const data = DocumentFileCreate.parse(sentOf(form.getValues()))
    const estimate = estimates.of(file, data)
    const target = { key: keyId, params: { dataset_id }, body: { data, file } }
    const { document } = await call(contract.adjacent.createByFile, target, options)
    if (estimate) onSent(document.id, estimate)
  })
  const ready = uploads.uploads.filter(({ state }) => state === 'ready').length
  const submit = form.handleSubmit(() => uploads.start())
  return (
    <form className={fields.form} onSubmit={(event) => void submit(event)} noValidate>
      <FilesField uploads={uploads} />
      <DocumentFields
        form={form}
        has="neither"
        of="create"
        passages={passages}
        files={uploads.uploads.map(({ file }) => file)}
        estimates={estimates}
      />
      <div className={fields.buttons}>
        <Button type="submit" disabled={ready === 0}>
          {t('sendFiles', { n: ready })}
        </Button>
        <Button variant="default" onClick={onClose}>
          {t(uploads.isBusy ? 'closeAndGoOn' : 'closeDrawer')}
        </Button>
        <p className={fields.note}>{t('filesNote')}</p>
      </div>
    </form>
  )
}
