import { Button } from '@mantine/core'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import type { z } from 'zod'
import { DocumentFileCreate, optionalDocumentEndpoints } from '#contract/platform/optionalDocuments.ts'
import { readFormDraft } from '../../../../components/forms/formDraftStorage.ts'
import fields from '../../../../components/forms/Fields.module.css'
import { createBodyResolver } from '../../../../components/forms/requestBodyResolver.ts'
import { useFormDraft } from '../../../../components/forms/useFormDraft.ts'
import { useLeaveGuard } from '../../../../components/hooks/useLeaveGuard.ts'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import { LeaveDialog } from '../../../../components/overlays/LeaveDialog.tsx'
import { call } from '../../../../client/http.ts'
import type { AddDocumentFormProps } from './AddText.tsx'
import { withRequiredDocumentFields, toFileSettings, toNewDocumentForm, type DocumentForm } from './documentForm.ts'
import { DocumentFields } from './DocumentFields.tsx'
import { DocumentFilesField } from './DocumentFilesField.tsx'
import { findDocumentByName, isReplacedDocument } from '../findDocumentByName.ts'
import { documentMessages } from '../messages.ts'
import { QuestionAnswerOffer } from './QuestionAnswerOffer.tsx'
import { useChunkEstimates, useLabSetting } from './ChunkLabSection.tsx'
import { type SendFile, useUploadQueue } from './useUploadQueue.ts'

export interface AddFilesProps extends AddDocumentFormProps {
  /** Files that were pasted into the drawer. */
  pastedFiles: readonly File[]
}

/** Documents made from files, several at once with the same settings, where the platform offers it. */
export function AddFiles({ pastedFiles, ...props }: AddFilesProps) {
  const { dataset_id, workspace, keyId, defaults, retrievalContext, setting, onSent, onClose } = props
  const t = useMessages(documentMessages)
  const toSettings = (formValues: DocumentForm) => toFileSettings(formValues, retrievalContext.dialect)
  const name = `document.files.${dataset_id}`
  const [initialValues] = useState(() => toNewDocumentForm(defaults, readFormDraft<DocumentForm>(sessionStorage, name)))
  const form = useForm({
    defaultValues: initialValues,
    resolver: createBodyResolver(withRequiredDocumentFields(DocumentFileCreate), toSettings),
  })
  useFormDraft(form, name)
  useLabSetting(form, setting)
  const estimates = useChunkEstimates()
  // Those with which a file was sent: the form may change while it waits for its turn.
  const settings = useRef(new WeakMap<File, z.output<typeof DocumentFileCreate>>())
  const send: SendFile = async (file, options, existing) => {
    const data = settings.current.get(file) ?? DocumentFileCreate.parse(toSettings(form.getValues()))
    const estimate = estimates.find(file, data)
    const target = { key: keyId, params: { dataset_id }, body: { data, file } }
    const { document } = await call(optionalDocumentEndpoints.createByFile, target, options)
    const replaced = isReplacedDocument(document, existing) ? { id: document.id, name: file.name } : null
    if (estimate || replaced) onSent(document.id, estimate, replaced)
  }
  const uploads = useUploadQueue(optionalDocumentEndpoints.createByFile, send, {
    findExisting: (file, signal) => findDocumentByName({ keyId, dataset_id }, file.name, signal),
  })
  const addPasted = useEffectEvent(() => uploads.add([...pastedFiles]))
  useEffect(() => {
    if (pastedFiles.length > 0) addPasted()
  }, [pastedFiles])
  const files = uploads.uploads.map(({ file }) => file)
  const ready = uploads.uploads.filter(({ state }) => state === 'ready').length
  const start = (id?: number) =>
    void form.handleSubmit((body) => {
      for (const upload of uploads.uploads)
        if (id === undefined ? upload.state === 'ready' : upload.id === id) settings.current.set(upload.file, body)
      uploads.start(id)
    })()
  const guard = useLeaveGuard(uploads.isBusy)
  return (
    <form
      className={fields.form}
      onSubmit={(event) => {
        event.preventDefault()
        start()
      }}
      noValidate
    >
      <DocumentFilesField uploads={{ ...uploads, start }} workspace={workspace} />
      <QuestionAnswerOffer form={form} files={files} fixedDocForm={defaults.docForm} />
      <DocumentFields
        form={form}
        fieldSet="neither"
        mode="create"
        retrievalContext={retrievalContext}
        fixedDocForm={defaults.docForm}
        files={files}
        estimates={estimates}
      />
      <div className={fields.buttons}>
        <Button type="submit" disabled={ready === 0}>
          {t('sendFiles', { n: ready })}
        </Button>
        <Button variant="default" onClick={onClose}>
          {t(uploads.isBusy ? 'closeAndGoOn' : 'close')}
        </Button>
        <p className={fields.note}>{t('filesNote')}</p>
      </div>
      <LeaveDialog guard={guard} title={t('leaveUploads')} leaveLabel={t('leaveAndCancel')} stayLabel={t('stay')}>
        {t('leaveUploadsText')}
      </LeaveDialog>
    </form>
  )
}
