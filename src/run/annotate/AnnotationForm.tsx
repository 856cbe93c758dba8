import { Button, Textarea } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { AnnotationWrite } from '#contract/annotations.ts'
import type { Reply } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'
import { readDraft } from '../../ui/fields/draft.ts'
import fields from '../../ui/fields/Fields.module.css'
import { field } from '../../ui/fields/field.ts'
import { resolverOf } from '../../ui/fields/resolver.ts'
import { useDraft } from '../../ui/fields/useDraft.ts'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { TextDiff } from '../../ui/TextDiff.tsx'
import { useWords } from '../../ui/words.ts'
import { useWrite } from '../../wire/query.ts'
import { AlikeList } from './AlikeList.tsx'
import { annotateWords } from './messages.ts'
import { useAlike } from './useAlike.ts'

export interface Pair {
  question: string
  answer: string
}

export interface AnnotationFormProps {
  /** The key of the app. */
  app: string
  /** What the fields begin with. */
  initial: Pair
  /** The annotation that is edited; without it a new one is made. */
  annotation_id?: string | undefined
  /** The run whose answer it is, and why it is made; both stay in the ledger. */
  parent?: string | null
  note?: string | undefined
  /** Under this name the draft is kept in the tab. */
  draft: string
  /** Beside the buttons. */
  actions?: ReactNode
  onSaved: (annotation: Reply<typeof contract.annotations.create>) => void
  onCancel: () => void
}

/** A question and its answer, compared while they are typed with what is annotated already, and with the answer that came. */
export function AnnotationForm(props: AnnotationFormProps) {
  const { app, initial, annotation_id, parent, note, draft: name, actions, onSaved, onCancel } = props
  const t = useWords(annotateWords)
  const [begin] = useState(() => ({ ...initial, ...readDraft<Pair>(sessionStorage, name) }))
  const form = useForm<Pair, unknown, Pair>({
    defaultValues: begin,
    resolver: resolverOf(AnnotationWrite, (typed: Pair) => typed),
  })
  const draft = useDraft(form, name)
  const [question, answer] = useWatch({ control: form.control, name: ['question', 'answer'] })
  const found = useAlike(app, { question, answer }, annotation_id)
  const create = useWrite(contract.annotations.create)
  const update = useWrite(contract.adjacent.updateAnnotation)
  const problem = (annotation_id ? update : create).error?.problem
  const submit = form.handleSubmit((body) => {
    const about = { key: app, body, parent: parent ?? null, ...(note ? { note } : {}) }
    const done = {
      onSuccess: (reply: Reply<typeof contract.annotations.create>) => {
        draft.drop()
        onSaved(reply)
      },
    }
    if (annotation_id) update.mutate({ ...about, params: { annotation_id } }, done)
    else create.mutate(about, done)
  })
  const isDoubtful = found.data?.data.some(({ likeness }) => likeness !== 'near') ?? false
  return (
    <form className={fields.form} onSubmit={(event) => void submit(event)} noValidate>
      <Textarea {...field(form, 'question')} required data-autofocus autosize minRows={2} maxRows={8} dir="auto" />
      <Textarea {...field(form, 'answer')} required autosize minRows={5} maxRows={16} dir="auto" />
      {initial.answer !== '' && answer !== initial.answer ? (
        <TextDiff before={initial.answer} after={answer} label={t('changes')} />
      ) : null}
      {found.error ? <ProblemNote problem={found.error.problem} what={t('alikeWhat')} /> : null}
      {found.data && question.trim() !== '' ? <AlikeList found={found.data} /> : null}
      {problem ? <ProblemNote problem={problem} what={t('saveWhat')} /> : null}
      {draft.isKept ? null : <p className={fields.note}>{t('draftNotKept')}</p>}
      <div className={fields.buttons}>
        <Button type="submit" loading={create.isPending || update.isPending}>
          {t(isDoubtful ? 'saveAnyway' : 'save')}
        </Button>
        <Button
          variant="default"
          onClick={() => {
            draft.drop()
            onCancel()
          }}
        >
          {t('cancel')}
        </Button>
        {actions}
      </div>
    </form>
  )
}
