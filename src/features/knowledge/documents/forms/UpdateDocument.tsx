import { Alert, Box, SegmentedControl, Skeleton, Button } from '@mantine/core'
import { useState, useDeferredValue, useEffect } from 'react'
import type { Key } from '#contract/console/workspaces.ts'
import { hasProcessRule, type DocumentRecord } from '#domain/documentRecord.ts'
import { SideDrawer } from '../../../../components/overlays/SideDrawer.tsx'
import { ProblemAlert } from '../../../../components/layout/ProblemAlert.tsx'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import { useDocument } from '../../useDocument.ts'
import { documentMessages } from '../messages.ts'
import type { OnSent } from '../SentDocuments.tsx'
import { useDocumentHistory, type DocumentHistory } from '../documentHistory.ts'
import { useForm, useWatch } from 'react-hook-form'
import { DocumentUpdate, documentEndpoints, DocumentFileUpdate } from '#contract/platform/documents.ts'
import { InlineForm } from '../../../../components/forms/InlineForm.tsx'
import { readFormDraft } from '../../../../components/forms/formDraftStorage.ts'
import { DisabledFieldset } from '../../../../components/forms/DisabledFieldset.tsx'
import fields from '../../../../components/forms/Fields.module.css'
import { createBodyResolver } from '../../../../components/forms/requestBodyResolver.ts'
import { useFormDraft } from '../../../../components/forms/useFormDraft.ts'
import { RelativeTime } from '../../../../components/data/RelativeTime.tsx'
import { TextDiff } from '../../../../components/data/textDiff/TextDiff.tsx'
import { useWrite } from '../../../../client/query.ts'
import { useMeasuredChunks } from '../../chunkLab/useMeasuredChunks.ts'
import {
  withRequiredDocumentFields,
  emptyDocumentForm,
  toTextUpdateBody,
  type DocumentForm,
  toFileUpdateBody,
} from './documentForm.ts'
import { DocumentFields } from './DocumentFields.tsx'
import { LostEdits } from '../LostEdits.tsx'
import { useChunkEstimates } from './ChunkLabSection.tsx'
import { useWhenAvailable, SendWhenAvailable, type SendWhenAvailableProps } from '../../indexing/SendWhenAvailable.tsx'
import { call } from '../../../../client/http.ts'
import { DocumentFilesField } from './DocumentFilesField.tsx'
import { useUploadQueue } from './useUploadQueue.ts'

export interface UpdateDocumentProps {
  dataset_id: string
  document_id: string
  source: 'text' | 'file'
  onSource: (by: 'text' | 'file') => void
  onClose: () => void
  workspace: string
  knowledge: Key
  technique: string | null
  onSent: OnSent
}

/** Operations 4 and 5: the document is chunked again, so the form first warns about what that discards. */
export function UpdateDocument(props: UpdateDocumentProps) {
  const { dataset_id, document_id, source, onSource, onClose, workspace, knowledge, technique, onSent } = props
  const t = useMessages(documentMessages)
  const document = useDocument({ dataset_id, document_id, workspace, key: knowledge.id })
  const history = useDocumentHistory(document_id, workspace)
  // A form that was opened once stays: the other form and a later read lose neither its words nor the reply it waits for.
  const [openedForms, setOpenedForms] = useState<readonly string[]>([])
  const isKnown = !document.isLoading && !history.isPending
  if (isKnown && !openedForms.includes(source)) setOpenedForms([...openedForms, source])
  const [hasFile, setHasFile] = useState(false)
  const to = {
    dataset_id,
    document_id,
    keyId: knowledge.id,
    canListSegments: knowledge.offers.includes('listSegments'),
    technique,
    record: document.record,
    history,
    onSent,
    onClose,
  }
  return (
    <SideDrawer
      isDirty={hasFile}
      onClose={onClose}
      title={t('updateTitle', { name: document.name ?? document_id.slice(0, 8) })}
      size={720}
    >
      <Box mb="sm">
        <SegmentedControl
          aria-label={t('updateBy')}
          value={source}
          onChange={(value) => onSource(value === 'file' ? 'file' : 'text')}
          data={[
            { value: 'text', label: t('byText') },
            { value: 'file', label: t('byFile') },
          ]}
        />
      </Box>
      {document.problem ? (
        <ProblemAlert problem={document.problem} action={t('readWhat')} onRetry={document.retry} />
      ) : null}
      {openedForms.length === 0 ? (
        <Skeleton height={240} animate={false} />
      ) : (
        <>
          {hasProcessRule(document.record) ? null : <Alert mb="sm">{t('noRuleWarning')}</Alert>}
          <div hidden={source !== 'text'}>{openedForms.includes('text') ? <UpdateText {...to} /> : null}</div>
          <div hidden={source !== 'file'}>
            {openedForms.includes('file') ? <UpdateFile {...to} onHasFile={setHasFile} /> : null}
          </div>
        </>
      )}
    </SideDrawer>
  )
}

interface UpdateFormProps {
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

/** Operation 4: begins with the last known text, and shows the changes. */
function UpdateText(props: UpdateFormProps) {
  const { dataset_id, document_id, keyId, canListSegments, technique, record, history, onSent, onClose } = props
  const t = useMessages(documentMessages)
  const measuredChunks = useMeasuredChunks({ dataset_id, document_id, keyId, canListSegments, record })
  const name = `document.${document_id}`
  const emptyForm = {
    ...toUpdateForm(record, technique),
    name: record?.name ?? history.name ?? '',
    text: history.text ?? '',
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
    <InlineForm form={{ submit: waiting.send }} action={t('updateWhat')}>
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
    </InlineForm>
  )
}

/** The initial form of an update, which keeps the rule of the document. */
const toUpdateForm = (record: DocumentRecord | null, technique: string | null): DocumentForm => ({
  ...emptyDocumentForm,
  // Without a name the platform takes the file's, and two documents may have the same.
  name: record?.name ?? '',
  indexing_technique: technique ?? emptyDocumentForm.indexing_technique,
  doc_form: record?.doc_form ?? emptyDocumentForm.doc_form,
  process_rule: { ...emptyDocumentForm.process_rule, mode: '' },
})

interface UpdateFileProps extends UpdateFormProps {
  /** Reports whether a file is chosen, which is lost when the form closes; a text is stored as a draft. */
  onHasFile: (hasFile: boolean) => void
}

/** Operation 5: one file, with the progress of its bytes; it can be cancelled while they go. */
function UpdateFile(props: UpdateFileProps) {
  const { dataset_id, document_id, keyId, canListSegments, technique, record, history, onSent, onClose, onHasFile } =
    props
  const t = useMessages(documentMessages)
  const name = `document.file.${document_id}`
  const [initialValues] = useState(() => ({
    ...toUpdateForm(record, technique),
    ...readFormDraft<DocumentForm>(sessionStorage, name),
  }))
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
    <InlineForm form={{ submit: waiting.send }} action={t('updateWhat')}>
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
    </InlineForm>
  )
}

interface FormButtonsProps extends Omit<SendWhenAvailableProps, 'className' | 'isSubmit' | 'children'> {
  note: string
  onClose: () => void
  onDiscard?: () => void
}

/** The end of an update's form: it sends, or says why it cannot yet and waits. */
function FormButtons({ note, onClose, onDiscard, ...submitProps }: FormButtonsProps) {
  const t = useMessages(documentMessages)
  return (
    <SendWhenAvailable {...submitProps} isSubmit className={fields.buttons}>
      <Button variant="default" onClick={onClose}>
        {t(onDiscard ? 'cancel' : 'close')}
      </Button>
      {onDiscard ? (
        <Button variant="subtle" color="gray" onClick={onDiscard}>
          {t('discard')}
        </Button>
      ) : null}
      <p className={fields.note}>{note}</p>
    </SendWhenAvailable>
  )
}
