import { Box, Drawer, SegmentedControl, Button } from '@mantine/core'
import { type ClipboardEvent, useState, useEffect, useEffectEvent, useRef } from 'react'
import type { Key } from '#contract/console/workspaces.ts'
import type { RetrievalDialect } from '../../retrieval/retrievalModelForm.ts'
import { parseSettingParam } from '../../chunkLab/chunkSettingParam.ts'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import { documentMessages } from '../messages.ts'
import {
  type DatasetDefaults,
  withRequiredDocumentFields,
  toFileSettings,
  toNewDocumentForm,
  type DocumentForm,
  toCreateTextBody,
} from './documentForm.ts'
import type { OnSent } from '../SentDocuments.tsx'
import { useForm, useWatch } from 'react-hook-form'
import type { z } from 'zod'
import { DocumentFileCreate, optionalDocumentEndpoints } from '#contract/platform/optionalDocuments.ts'
import { InlineForm } from '../../../../components/forms/InlineForm.tsx'
import { readFormDraft } from '../../../../components/forms/formDraftStorage.ts'
import fields from '../../../../components/forms/Fields.module.css'
import { createBodyResolver } from '../../../../components/forms/requestBodyResolver.ts'
import { useFormDraft } from '../../../../components/forms/useFormDraft.ts'
import { useLeaveGuard } from '../../../../components/hooks/useLeaveGuard.ts'
import { LeaveDialog } from '../../../../components/overlays/LeaveDialog.tsx'
import { call } from '../../../../client/http.ts'
import { DocumentFields, type RetrievalContext } from './DocumentFields.tsx'
import { DocumentFilesField } from './DocumentFilesField.tsx'
import { findDocumentByName, isReplacedDocument } from '../findDocumentByName.ts'
import { QuestionAnswerOffer } from './QuestionAnswerOffer.tsx'
import { useChunkEstimates, useLabSetting } from './ChunkLabSection.tsx'
import { type SendFile, useUploadQueue } from './useUploadQueue.ts'
import { useMutation } from '@tanstack/react-query'
import type { ProblemError } from '#contract/problem.ts'
import { DocumentCreate, documentEndpoints } from '#contract/platform/documents.ts'
import type { DocumentRecord } from '#domain/documentRecord.ts'
import { DisabledFieldset } from '../../../../components/forms/DisabledFieldset.tsx'
import { useWrite } from '../../../../client/query.ts'
import { ExistingDocument } from '../LostEdits.tsx'
import { isSameText } from '#domain/samenessKey.ts'
import type { ChunkSettingDraft } from '../../chunkLab/chunkSettingDraft.ts'
import { readLabText } from '../../chunkLab/labText.ts'

export interface AddDocumentsProps {
  opened: boolean
  source: 'text' | 'file'
  onSource: (source: 'text' | 'file') => void
  onClose: () => void
  dataset_id: string
  knowledge: Key
  workspace: string
  /** What the dataset already has: the proposal for its documents. */
  defaults: DatasetDefaults
  dialect: RetrievalDialect | null
  /** The initial setting of the chunk lab for new documents, as in its URL. */
  setting: string | undefined
  onSent: OnSent
}

/** What is pasted outside a field: files, or a text with the setting of the form. */
interface PastedInput {
  files: readonly File[]
  text: string | null
}

/** New documents: from files where the platform takes them, or from text (operation 3). Both can be pasted anywhere. */
export function AddDocuments(props: AddDocumentsProps) {
  const { opened, onSource, onClose, dataset_id, workspace, knowledge, defaults, dialect, onSent } = props
  const t = useMessages(documentMessages)
  const takesFiles = knowledge.offers.includes('createByFile')
  const source = takesFiles ? props.source : 'text'
  // A form that was shown once stays, so that the other way and back loses neither its words nor its files.
  const [hasShown, setHasShown] = useState<readonly string[]>([source])
  if (opened && !hasShown.includes(source)) setHasShown([...hasShown, source])
  const [pasted, setPasted] = useState<PastedInput>({ files: [], text: null })
  const setting = parseSettingParam(props.setting)
  const retrievalContext = {
    dialect,
    modelListKeyId: knowledge.offers.includes('listModels') ? knowledge.id : undefined,
  }
  const to = { dataset_id, workspace, keyId: knowledge.id, defaults, retrievalContext, setting, onSent, onClose }
  const paste = (event: ClipboardEvent) => {
    if (event.target instanceof HTMLElement && event.target.matches('input, textarea, select')) return
    const files = [...event.clipboardData.files]
    const text = event.clipboardData.getData('text/plain')
    if (files.length > 0 && takesFiles) {
      setPasted({ files, text: null })
      onSource('file')
    } else if (text.trim()) {
      setPasted({ files: [], text })
      onSource('text')
    } else return
    event.preventDefault()
  }
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      title={t(takesFiles ? 'addFilesOrText' : 'addTitle')}
      size={720}
      keepMounted
      closeButtonProps={{ 'aria-label': t('close') }}
      onPaste={paste}
    >
      {takesFiles ? (
        <Box mb="sm">
          <SegmentedControl
            aria-label={t('addBy')}
            value={source}
            onChange={(value) => onSource(value === 'file' ? 'file' : 'text')}
            data={[
              { value: 'file', label: t('byFile') },
              { value: 'text', label: t('byText') },
            ]}
          />
        </Box>
      ) : null}
      {hasShown.includes('text') ? (
        <div hidden={source !== 'text'}>
          <AddText {...to} pastedText={pasted.text} />
        </div>
      ) : null}
      {takesFiles && hasShown.includes('file') ? (
        <div hidden={source !== 'file'}>
          <AddFiles {...to} pastedFiles={pasted.files} />
        </div>
      ) : null}
    </Drawer>
  )
}

interface AddFilesProps extends AddDocumentFormProps {
  /** Files that were pasted into the drawer. */
  pastedFiles: readonly File[]
}

/** Documents made from files, several at once with the same settings, where the platform offers it. */
function AddFiles({ pastedFiles, ...props }: AddFilesProps) {
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
    <InlineForm
      form={{ submit: () => start() }}
      action={t('addWhat')}
      submitLabel={t('sendFiles', { n: ready })}
      isSubmitDisabled={ready === 0}
      buttons={
        <>
          <Button variant="default" onClick={onClose}>
            {t(uploads.isBusy ? 'closeAndGoOn' : 'close')}
          </Button>
          <p className={fields.note}>{t('filesNote')}</p>
        </>
      }
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
      <LeaveDialog guard={guard} title={t('leaveUploads')} leaveLabel={t('leaveAndCancel')} stayLabel={t('stay')}>
        {t('leaveUploadsText')}
      </LeaveDialog>
    </InlineForm>
  )
}

interface AddDocumentFormProps {
  dataset_id: string
  keyId: string
  workspace: string
  defaults: DatasetDefaults
  retrievalContext: RetrievalContext
  setting: ChunkSettingDraft | null
  onSent: OnSent
  onClose: () => void
}

interface AddTextProps extends AddDocumentFormProps {
  /** A text that was pasted into the drawer. */
  pastedText: string | null
}

/** Operation 3. The input is stored in the tab until the platform has accepted it. */
function AddText(props: AddTextProps) {
  const { dataset_id, workspace, keyId, defaults, retrievalContext, setting, pastedText, onSent, onClose } = props
  const t = useMessages(documentMessages)
  const create = useWrite(documentEndpoints.createByText)
  const name = `document.new.${dataset_id}`
  const [initialValues] = useState(() => toNewDocumentForm(defaults, readFormDraft<DocumentForm>(sessionStorage, name)))
  const form = useForm({
    defaultValues: initialValues,
    resolver: createBodyResolver(withRequiredDocumentFields(DocumentCreate), (formValues: DocumentForm) =>
      toCreateTextBody(formValues, retrievalContext.dialect),
    ),
  })
  const draft = useFormDraft(form, name)
  useLabSetting(form, setting)
  const addPasted = useEffectEvent((text: string) => form.setValue('text', text, { shouldDirty: true }))
  const addLabText = useEffectEvent(() => {
    const text = setting && readLabText()
    if (text && form.getValues('text') === '') form.setValue('text', text, { shouldDirty: true })
  })
  useEffect(() => addLabText(), [])
  useEffect(() => {
    if (pastedText !== null) addPasted(pastedText)
  }, [pastedText])
  const estimates = useChunkEstimates()
  const [found, setFound] = useState<DocumentRecord | null>(null)
  const typedName = useWatch({ control: form.control, name: 'name' })
  const existing = found && isSameText(found.name ?? '', typedName.trim()) ? found : null
  const lookup = useMutation<DocumentRecord | null, ProblemError, string>({
    mutationFn: (documentName) => findDocumentByName({ keyId, dataset_id }, documentName),
  })
  const reset = () => {
    draft.discard()
    form.reset(toNewDocumentForm(defaults, null))
    create.reset()
    lookup.reset()
    setFound(null)
  }
  const send = (body: z.output<typeof DocumentCreate>) =>
    create.mutate(
      { key: keyId, params: { dataset_id }, body },
      {
        onSuccess: ({ document }) => {
          const estimate = estimates.find(body.text, body)
          const replaced = isReplacedDocument(document, existing) ? { id: document.id, name: body.name } : null
          if (estimate || replaced) onSent(document.id, estimate, replaced)
          reset()
          onClose()
        },
      },
    )
  const isPending = create.isPending || lookup.isPending
  const submit = form.handleSubmit((body) => {
    if (existing) send(body)
    else
      lookup.mutate(body.name, {
        onSuccess: (document) => {
          setFound(document)
          if (!document) send(body)
        },
      })
  })
  return (
    <InlineForm
      form={{
        submit: (event) => void submit(event),
        isPending,
        problem: lookup.error?.problem ?? create.error?.problem ?? null,
      }}
      action={t('addWhat')}
      submitLabel={t(existing ? 'replaceDo' : 'addDo')}
      buttons={
        <>
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button variant="subtle" color="gray" onClick={reset}>
            {t('discard')}
          </Button>
          <p className={fields.note}>{t(draft.isSaved ? 'draftKept' : 'draftTooLong')}</p>
        </>
      }
    >
      <DisabledFieldset isDisabled={isPending}>
        <DocumentFields
          form={form}
          fieldSet="name and text"
          mode="create"
          retrievalContext={retrievalContext}
          fixedDocForm={defaults.docForm}
          estimates={estimates}
        />
      </DisabledFieldset>
      {existing ? <ExistingDocument document={existing} workspace={workspace} /> : null}
    </InlineForm>
  )
}
