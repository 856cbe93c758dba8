import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import type { z } from 'zod'
import type { ProblemError } from '#contract/problem.ts'
import { DocumentCreate, documentEndpoints } from '#contract/platform/documents.ts'
import type { DocumentRecord } from '#domain/documentRecord.ts'
import { readFormDraft } from '../../../../components/forms/formDraftStorage.ts'
import { DisabledFieldset } from '../../../../components/forms/DisabledFieldset.tsx'
import fields from '../../../../components/forms/Fields.module.css'
import { createBodyResolver } from '../../../../components/forms/requestBodyResolver.ts'
import { useFormDraft } from '../../../../components/forms/useFormDraft.ts'
import { isSubmitShortcut } from '../../../../components/hooks/modifierKey.ts'
import { ProblemAlert } from '../../../../components/layout/ProblemAlert.tsx'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import { useWrite } from '../../../../client/query.ts'
import {
  withRequiredDocumentFields,
  type DatasetDefaults,
  toCreateTextBody,
  toNewDocumentForm,
  type DocumentForm,
} from './documentForm.ts'
import { DocumentFields, type RetrievalContext } from './DocumentFields.tsx'
import { ExistingDocument } from '../LostEdits.tsx'
import { isSameText } from '#domain/samenessKey.ts'
import { findDocumentByName, isReplacedDocument } from '../findDocumentByName.ts'
import { documentMessages } from '../messages.ts'
import type { OnSent } from '../SentDocuments.tsx'
import type { ChunkSettingDraft } from '../../chunkLab/chunkSettingDraft.ts'
import { readLabText } from '../../chunkLab/labText.ts'
import { useChunkEstimates, useLabSetting } from './ChunkLabSection.tsx'

export interface AddDocumentFormProps {
  dataset_id: string
  keyId: string
  workspace: string
  defaults: DatasetDefaults
  retrievalContext: RetrievalContext
  /** A setting of the chunk lab to begin with. */
  setting: ChunkSettingDraft | null
  onSent: OnSent
  onClose: () => void
}

export interface AddTextProps extends AddDocumentFormProps {
  /** A text that was pasted into the drawer. */
  pastedText: string | null
}

/** Operation 3. What is typed is kept in the tab until the platform has taken it. */
export function AddText(props: AddTextProps) {
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
    // The shortcut works beside the button, which is disabled meanwhile.
    if (isPending) return
    if (existing) send(body)
    else
      lookup.mutate(body.name, {
        onSuccess: (document) => {
          setFound(document)
          if (!document) send(body)
        },
      })
  })
  const problem = lookup.error?.problem ?? create.error?.problem
  return (
    <form
      className={fields.form}
      onSubmit={(event) => void submit(event)}
      onKeyDown={(event) => {
        if (isSubmitShortcut(event)) void submit(event)
      }}
      noValidate
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
      {problem ? <ProblemAlert problem={problem} action={t('addWhat')} isInForm /> : null}
      <div className={fields.buttons}>
        <Button type="submit" loading={isPending}>
          {t(existing ? 'replaceDo' : 'addDo')}
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
