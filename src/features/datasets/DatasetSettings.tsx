import { Button } from '@mantine/core'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import type { z } from 'zod'
import type { Key } from '#contract/console.ts'
import { DatasetUpdate } from '#contract/datasets.ts'
import { contract } from '#contract/index.ts'
import { readDraft } from '../../ui/fields/draft.ts'
import fields from '../../ui/fields/Fields.module.css'
import { resolverOf } from '../../ui/fields/resolver.ts'
import { useDraft } from '../../ui/fields/useDraft.ts'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { useLeaveGuard } from '../../ui/useLeaveGuard.ts'
import { useWords } from '../../ui/words.ts'
import { useWrite } from '../../wire/query.ts'
import type { DatasetRecord } from '../../wire/useDataset.ts'
import { type Change, ownChanges } from './changes.ts'
import { DatasetFields } from './DatasetFields.tsx'
import { demanding } from './demand.ts'
import { LeaveUnsaved } from './LeaveUnsaved.tsx'
import { datasetsWords } from './messages.ts'
import { Saved } from './Saved.tsx'
import { emptyDataset, type TypedDataset, typedOf, updateOf } from './typed.ts'
import { useSpeech } from './useSpeech.ts'
import { useMay } from '../../wire/useMay.ts'
import { RoleNote } from '../../ui/RoleNote.tsx'
import { Locked } from '../../ui/fields/Locked.tsx'

export interface DatasetSettingsProps {
  dataset_id: string
  /** Null where this console has only the id. */
  record: DatasetRecord | null
  workspace: string
  knowledge: Key
}

/** The form of operation 2. It sends what was changed, and then shows what the platform changed by itself. */
export function DatasetSettings({ dataset_id, record, workspace, knowledge }: DatasetSettingsProps) {
  const t = useWords(datasetsWords)
  const update = useWrite(contract.datasets.update)
  const may = useMay()(contract.datasets.update)
  const [saved, setSaved] = useState<{ sent: string[]; own: Change[] } | null>(null)
  const name = `dataset.${dataset_id}`
  const heard = useSpeech(workspace, record?.retrieval_model_dict)
  // What was there when the person began: a record that is read again meanwhile does not take the ground away.
  const [base, setBase] = useState(() => ({ record, typed: record ? typedOf(record) : emptyDataset }))
  const bodyOf = (typed: TypedDataset) =>
    updateOf(typed, base.typed, { heard, answered: base.record?.retrieval_model_dict })
  const [drafted] = useState(() => readDraft<TypedDataset>(sessionStorage, name))
  const form = useForm({
    defaultValues: base.typed,
    ...(drafted ? { values: { ...base.typed, ...drafted }, resetOptions: { keepDefaultValues: true } } : {}),
    resolver: resolverOf(demanding(DatasetUpdate), bodyOf),
  })
  const draft = useDraft(form, name)
  const { isDirty } = form.formState
  const guard = useLeaveGuard(isDirty)

  const settle = (before: DatasetRecord | null, sent: z.output<typeof DatasetUpdate>, after: DatasetRecord) => {
    const typed = typedOf(after)
    setSaved({ sent: Object.keys(sent), own: before ? ownChanges(before, sent, after) : [] })
    setBase({ record: after, typed })
    draft.drop()
    form.reset(typed)
  }
  const submit = form.handleSubmit((body) =>
    update.mutate(
      { key: knowledge.id, params: { dataset_id }, body },
      { onSuccess: (after) => settle(base.record, body, after) },
    ),
  )
  const discard = () => {
    draft.drop()
    form.reset(base.typed)
    update.reset()
  }
  return (
    <form className={fields.form} onSubmit={(event) => void submit(event)} noValidate>
      {record ? null : <p className={fields.note}>{t('onlyId')}</p>}
      <Locked when={!may}>
        <DatasetFields
          form={form}
          of="update"
          heard={heard}
          listedBy={knowledge.offers.includes('listModels') ? knowledge.id : undefined}
        />
      </Locked>
      {update.error ? <ProblemNote problem={update.error.problem} what={t('saveWhat')} isAtForm /> : null}
      {saved && !isDirty ? <Saved sent={saved.sent} own={saved.own} /> : null}
      {may ? (
        <div className={fields.buttons}>
          <Button type="submit" loading={update.isPending} disabled={!isDirty}>
            {t('saveDo')}
          </Button>
          <Button variant="default" onClick={discard} disabled={!isDirty}>
            {t('discard')}
          </Button>
          {isDirty ? <StateBadge word="not saved" /> : null}
          {isDirty ? <p className={fields.note}>{t(draft.isKept ? 'draftKept' : 'draftTooLong')}</p> : null}
        </div>
      ) : (
        <RoleNote entry={contract.datasets.update} />
      )}
      <LeaveUnsaved guard={guard} />
    </form>
  )
}
