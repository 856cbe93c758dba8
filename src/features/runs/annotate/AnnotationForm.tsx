import { Button, Flex, Group, Paper, Text, Textarea } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconAlertTriangleFilled, IconCopy, IconWaveSine } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useWatch } from 'react-hook-form'
import type { EndpointReply } from '#contract/endpoint.ts'
import type { ProblemError } from '#contract/problem.ts'
import { reviewEndpoints } from '#contract/console/review.ts'
import { AnnotationInput, annotationEndpoints } from '#contract/platform/annotations.ts'
import { optionalAnnotationEndpoints } from '#contract/platform/optionalAnnotations.ts'
import fields from '../../../components/forms/Fields.module.css'
import { InlineForm } from '../../../components/forms/InlineForm.tsx'
import { useContractForm } from '../../../components/forms/useContractForm.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { TextDiff } from '../../../components/data/textDiff/TextDiff.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { call } from '../../../client/http.ts'
import { useWrite } from '../../../client/query.ts'
import { annotateMessages } from './messages.ts'
import blocks from '../../../components/layout/Blocks.module.css'

export interface QuestionAnswer {
  question: string
  answer: string
}

export interface AnnotationFormProps {
  /** The key of the app. */
  app: string
  /** The initial field values. */
  initial: QuestionAnswer
  /** The annotation to edit; without it a new one is created. */
  annotation_id?: string | undefined
  /** The run of the answer, and the reason for the annotation; the ledger stores both. */
  parent?: string | null
  note?: string | undefined
  /** The session storage name of the draft. */
  draftName: string
  /** Next to the buttons. */
  actions?: ReactNode
  onSaved: (annotation: EndpointReply<typeof annotationEndpoints.create>) => void
  onCancel: () => void
}

/** A question and its answer, compared while typing with existing annotations and with the original answer. */
export function AnnotationForm(props: AnnotationFormProps) {
  const { app, initial, annotation_id, parent, note, draftName, actions, onSaved, onCancel } = props
  const t = useMessages(annotateMessages)
  const create = useWrite(annotationEndpoints.create)
  const update = useWrite(optionalAnnotationEndpoints.updateAnnotation)
  const form = useContractForm({
    schema: AnnotationInput,
    initialValues: initial,
    draftName,
    send: (body) => {
      const target = { key: app, body, parent: parent ?? null, ...(note ? { note } : {}) }
      return annotation_id ? update.mutateAsync({ ...target, params: { annotation_id } }) : create.mutateAsync(target)
    },
    onDone: onSaved,
  })
  const [question, answer] = useWatch({ control: form.form.control, name: ['question', 'answer'] })
  const similar = useSimilarAnnotations(app, { question, answer }, annotation_id)
  const hasConflict = similar.data?.data.some(({ likeness }) => likeness !== 'near') ?? false
  return (
    <InlineForm
      form={form}
      submitLabel={t(hasConflict ? 'saveAnyway' : 'save')}
      action={t('saveWhat')}
      buttons={actions}
      onCancel={() => {
        form.discard()
        onCancel()
      }}
    >
      <Textarea {...form.field('question')} required data-autofocus autosize minRows={2} maxRows={8} dir="auto" />
      <Textarea {...form.field('answer')} required autosize minRows={5} maxRows={16} dir="auto" />
      <CitationMarks answer={answer} onRemove={form.controlled('answer').onChange} />
      {initial.answer !== '' && answer !== initial.answer ? (
        <TextDiff before={initial.answer} after={answer} label={t('changes')} />
      ) : null}
      {similar.error ? <ProblemAlert problem={similar.error.problem} action={t('similarWhat')} /> : null}
      {similar.data && question.trim() !== '' ? <SimilarAnnotations found={similar.data} /> : null}
      {form.isDraftSaved ? null : <p className={fields.note}>{t('draftNotKept')}</p>}
    </InlineForm>
  )
}

/** `[1]` after a word, as in answers; not a link's text. */
const CITATION_MARK_PATTERN = /\s?\[\d{1,3}\](?!\()/g

/** An annotation has no sources, so marks that pointed to them would point nowhere: offers to leave them out. */
function CitationMarks({ answer, onRemove }: { answer: string; onRemove: (text: string) => void }) {
  const t = useMessages(annotateMessages)
  const marks = [...new Set(answer.match(CITATION_MARK_PATTERN)?.map((mark) => mark.trim()))]
  if (marks.length === 0) return null
  return (
    <p className={fields.note} role="status">
      {t('citationMarks', { marks: marks.slice(0, 5).join(' ') })}{' '}
      <Button variant="default" size="compact-xs" onClick={() => onRemove(answer.replace(CITATION_MARK_PATTERN, ''))}>
        {t('removeMarks')}
      </Button>
    </p>
  )
}

type SimilarAnnotationsReply = EndpointReply<typeof reviewEndpoints.findSimilarAnnotations>

const TYPING_DELAY_MS = 300
const MAX_COMPARED_CHARS = 100_000

/** The annotations of an app with a similar question; debounced. */
function useSimilarAnnotations(key: string, draft: QuestionAnswer, excludedId: string | undefined) {
  const [{ question, answer }] = useDebouncedValue(draft, TYPING_DELAY_MS)
  const body = {
    key,
    question: question.trim().slice(0, MAX_COMPARED_CHARS),
    answer: answer.trim().slice(0, MAX_COMPARED_CHARS),
    not: excludedId,
  }
  return useQuery<SimilarAnnotationsReply, ProblemError>({
    queryKey: ['alike', body],
    queryFn: ({ signal }) => call(reviewEndpoints.findSimilarAnnotations, { body }, { signal }),
    meta: { shows: reviewEndpoints.findSimilarAnnotations.tags },
    enabled: body.question !== '',
    placeholderData: keepPreviousData,
  })
}

/** In the order of the list. */
const SIMILARITY_ICONS = { contradiction: IconAlertTriangleFilled, duplicate: IconCopy, near: IconWaveSine }
const SIMILARITY_COLORS = { contradiction: 'var(--failed-fg)', duplicate: 'var(--interrupted-fg)', near: 'dimmed' }

/** Annotations with a similar question, contradicting answers first, each with its similarity and answer. */
function SimilarAnnotations({ found: { data, seen } }: { found: SimilarAnnotationsReply }) {
  const t = useMessages(annotateMessages)
  const quiet = { size: 'sm', c: 'var(--text-3)' } as const
  if (data.length === 0) return <Text {...quiet}>{t('similarNone', { seen })}</Text>
  const sorted = [...data].sort((one, other) => rankSimilarity(one.likeness) - rankSimilarity(other.likeness))
  return (
    <Flex component="section" direction="column" gap="xs" aria-label={t('similar')}>
      <Text component="h3" size="sm" fw={600}>
        {t('similar')}
      </Text>
      <Paper
        component="ul"
        className={blocks.rows}
        radius="md"
        mah={320}
        style={{ overflowY: 'auto', overflowWrap: 'anywhere', fontVariantNumeric: 'tabular-nums' }}
      >
        {sorted.map(({ id, question, answer, likeness, same_numbers, question_score, answer_score }) => {
          const Icon = SIMILARITY_ICONS[likeness]
          return (
            <li key={id} data-likeness={likeness}>
              <Group gap="xs" fz="sm" c={SIMILARITY_COLORS[likeness]}>
                <Icon size={14} aria-hidden="true" />
                {t(
                  likeness === 'duplicate' && answer_score === null
                    ? 'duplicateUnanswered'
                    : likeness === 'near' && !same_numbers
                      ? 'nearOtherNumbers'
                      : likeness,
                )}
                <Text {...quiet} ml="auto">
                  {t('score', { score: question_score.toFixed(2) })}
                </Text>
              </Group>
              <Text size="sm" lineClamp={3} fw={550} dir="auto">
                {question}
              </Text>
              <Text size="sm" lineClamp={3} c="dimmed" dir="auto">
                {answer}
              </Text>
            </li>
          )
        })}
      </Paper>
      <Text {...quiet}>{t('similarWhy', { seen })}</Text>
    </Flex>
  )
}

const rankSimilarity = (likeness: keyof typeof SIMILARITY_ICONS): number =>
  Object.keys(SIMILARITY_ICONS).indexOf(likeness)
