import { useDeferredValue, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import type { DocumentRecord } from '#contract/records.ts'
import { DocumentUpdate } from '#contract/documents.ts'
import { contract } from '#contract/index.ts'
import { readDraft } from '../../ui/fields/draft.ts'
import fields from '../../ui/fields/Fields.module.css'
import { resolverOf } from '../../ui/fields/resolver.ts'
import { useDraft } from '../../ui/fields/useDraft.ts'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { Since } from '../../ui/Since.tsx'
import { TextDiff } from '../../ui/TextDiff.tsx'
import { useWrite } from '../../wire/query.ts'
import { useMeasured } from '../../wire/useMeasured.ts'
import { demanding } from './demand.ts'
import { DocumentFields } from './DocumentFields.tsx'
import type { History } from './history.ts'
import { LostEdits } from './LostEdits.tsx'
import { SendButtons } from './SendButtons.tsx'
import { emptyDocument, textUpdateOf, type TypedDocument } from './typed.ts'
import { useEstimates } from './useEstimates.ts'
import type { OnSent } from './useSent.ts'
import { useWhenAvailable } from '../../ui/indexing/useWhenAvailable.ts'
import { useWords } from '../../ui/words.ts'
import { documentsWords } from './messages.ts'

export interface UpdateProps {
  dataset_id: string
  document_id: string
  keyId: string
  /** Whether the platform lists segments. */
  isListed: boolean
  record: DocumentRecord | null
  history: History
  onSent: OnSent
  onClose: () => void
}

/** Operation 4: begins with the last text that this console knows, and shows what changes in it. */
export function UpdateText(props: UpdateProps) {
  const { dataset_id, document_id, keyId, isListed, record, history, onSent, onClose } = props
  const t = useWords(documentsWords)
  const update = useWrite(contract.documents.updateByText)
  const measured = useMeasured({ dataset_id, document_id, keyId, isListed, record })
  const name = `document.${document_id}`
  const fresh: TypedDocument = {
    ...emptyDocument,
    name: record?.name ?? history.name ?? '',
    text: history.text ?? '',
    doc_form: record?.doc_form ?? emptyDocument.doc_form,
    process_rule: { ...emptyDocument.process_rule, mode: '' },
  }
  const [begin] = useState(() => ({ ...fresh, ...readDraft<TypedDocument>(sessionStorage, name) }))
  const form = useForm({ defaultValues: begin, resolver: resolverOf(demanding(DocumentUpdate), textUpdateOf) })
  const draft = useDraft(form, name)
  const estimates = useEstimates()
  const text = useDeferredValue(useWatch({ control: form.control, name: 'text' }))
  const discard = () => {
    draft.drop()
    form.reset(fresh)
    update.reset()
  }
  const submit = form.handleSubmit((body) =>
    update.mutate(
      { key: keyId, params: { dataset_id, document_id }, body },
      {
        onSuccess: () => {
          onSent(document_id, estimates.of(body.text ?? '', body))
          draft.drop()
          onClose()
        },
      },
    ),
  )
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
        {history.at
          ? t.rich(history.overtaken ? 'textOvertaken' : 'textKnown', {
              person: history.person ?? t('theConsole'),
              since: () => <Since at={history.at} ago />,
              file: () => <Since at={history.overtaken} ago />,
            })
          : t('textUnknown')}
      </p>
      <DocumentFields form={form} has="name and text" of="update" measured={measured} estimates={estimates} />
      {history.text !== null && text !== history.text ? <TextDiff before={history.text} after={text} /> : null}
      <LostEdits edits={history.edits} />
      {update.error ? <ProblemNote problem={update.error.problem} what={t('updateWhat')} isAtForm /> : null}
      <SendButtons
        waiting={waiting}
        record={record}
        isPending={update.isPending}
        label={t('updateDo', { n: history.edits.length })}
        onClose={onClose}
        onDiscard={discard}
        note={t(draft.isKept ? 'draftKept' : 'draftTooLong')}
      />
    </form>
  )
}
