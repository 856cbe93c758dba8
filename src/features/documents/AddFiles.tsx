import { Button } from '@mantine/core'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useTranslations } from 'use-intl'
import { DocumentFileCreate } from '#contract/adjacent/documents.ts'
import { contract } from '#contract/index.ts'
import { readDraft } from '../../ui/fields/draft.ts'
import fields from '../../ui/fields/Fields.module.css'
import { resolverOf } from '../../ui/fields/resolver.ts'
import { useDraft } from '../../ui/fields/useDraft.ts'
import { call } from '../../wire/call.ts'
import type { AddProps } from './AddText.tsx'
import { demanding } from './demand.ts'
import { DocumentFields } from './DocumentFields.tsx'
import { FilesField } from './FilesField.tsx'
import { emptyDocument, settingsOf, type TypedDocument } from './typed.ts'
import { useUploads } from './useUploads.ts'

/** Documents made from files, several at once with the same settings, where the platform offers it. */
export function AddFiles({ dataset_id, keyId, technique, passages, onClose }: AddProps) {
  const t = useTranslations('documents')
  const sentOf = (typed: TypedDocument) => settingsOf(typed, passages.heard)
  const name = `document.files.${dataset_id}`
  const fresh = { ...emptyDocument, indexing_technique: technique ?? emptyDocument.indexing_technique }
  const [begin] = useState(() => ({ ...fresh, ...readDraft<TypedDocument>(sessionStorage, name) }))
  const form = useForm({ defaultValues: begin, resolver: resolverOf(demanding(DocumentFileCreate), sentOf) })
  useDraft(form, name)
  const uploads = useUploads(contract.adjacent.createByFile, (file, options) =>
    call(
      contract.adjacent.createByFile,
      {
        key: keyId,
        params: { dataset_id },
        body: { data: DocumentFileCreate.parse(sentOf(form.getValues())), file },
      },
      options,
    ),
  )
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
        file={uploads.uploads[0]?.file ?? null}
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
