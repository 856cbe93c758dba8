import { Button, SegmentedControl, Textarea, TextInput } from '@mantine/core'
import { useSessionStorage } from '@mantine/hooks'
import { type FormEvent, useState } from 'react'
import { optionalSegmentEndpoints, type SegmentsCreate } from '#contract/platform/optionalSegments.ts'
import { Dialog } from '../../../components/overlays/Dialog.tsx'
import fields from '../../../components/forms/Fields.module.css'
import { renderFieldLabel } from '../../../components/forms/registerField.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { useWrite } from '../../../client/query.ts'
import { segmentMessages } from './messages.ts'
import type { z } from 'zod'
import { parseKeywords } from './editor/useSegmentEdit.ts'

interface AddSegmentsProps {
  dataset_id: string
  document_id: string
  keyId: string
  /** The document is in Q&A form: a segment is a question with an answer. */
  isQuestionAnswer: boolean
  onClose: () => void
  onAdded: (segment_id: string | undefined) => void
}

/** Adds a segment with its answer and keywords, or many from lines. What is typed is kept in this tab. */
export function AddSegments({ dataset_id, document_id, keyId, isQuestionAnswer, onClose, onAdded }: AddSegmentsProps) {
  const t = useMessages(segmentMessages)
  const add = useWrite(optionalSegmentEndpoints.createSegments)
  const [draft, setDraft, clearDraft] = useSessionStorage<SegmentDraft>({
    key: `loupe.segments.${document_id}`,
    defaultValue: EMPTY_SEGMENT_DRAFT,
    getInitialValueInEffect: false,
  })
  const [error, setError] = useState<SegmentDraftError | null>(null)
  const set = (change: Partial<SegmentDraft>) => {
    setError(null)
    setDraft({ ...draft, ...change })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const parsed = parseSegmentDraft(draft, isQuestionAnswer)
    if ('error' in parsed) return setError(parsed.error)
    add.mutate(
      { key: keyId, params: { dataset_id, document_id }, body: { segments: parsed.segments } },
      {
        onSuccess: ({ data }) => {
          clearDraft()
          onAdded(data[0]?.id)
        },
      },
    )
  }
  const errorOf = (field: SegmentDraftError['field']) => {
    if (error?.field !== field) return undefined
    if (error.kind === 'withoutAnswer') return t('lineWithoutAnswer', { line: error.line })
    return t(error.kind === 'tooMany' ? 'tooManyLines' : 'emptyChild')
  }
  return (
    <Dialog onClose={onClose} title={t('addSegment')} size="lg">
      <form className={fields.form} onSubmit={submit} noValidate>
        <SegmentedControl
          aria-label={t('addMode')}
          value={draft.mode}
          onChange={(mode) => set({ mode: mode === 'many' ? 'many' : 'one' })}
          data={[
            { value: 'one', label: t('addOne') },
            { value: 'many', label: t('addMany') },
          ]}
        />
        {draft.mode === 'one' ? (
          <OneSegmentFields
            draft={draft}
            set={set}
            isQuestionAnswer={isQuestionAnswer}
            contentError={errorOf('content')}
            answerError={errorOf('answer')}
          />
        ) : (
          <Textarea
            label={t('lines')}
            description={t(isQuestionAnswer ? 'linesTextAnswer' : 'linesText')}
            value={draft.lines}
            onChange={(event) => set({ lines: event.currentTarget.value })}
            error={errorOf('lines')}
            autosize
            minRows={6}
            maxRows={16}
            data-autofocus
          />
        )}
        <p className={fields.note}>{t('addNote')}</p>
        {add.error ? <ProblemAlert problem={add.error.problem} action={t('addSegmentWhat')} /> : null}
        <div className={fields.buttons}>
          <Button type="submit" loading={add.isPending}>
            {t('addSegmentDo', { n: draft.mode === 'one' ? 1 : countLines(draft.lines) })}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

interface OneSegmentFieldsProps {
  draft: SegmentDraft
  set: (change: Partial<SegmentDraft>) => void
  isQuestionAnswer: boolean
  contentError: string | undefined
  answerError: string | undefined
}

function OneSegmentFields({ draft, set, isQuestionAnswer, contentError, answerError }: OneSegmentFieldsProps) {
  const t = useMessages(segmentMessages)
  return (
    <>
      <Textarea
        label={isQuestionAnswer ? t('question') : renderFieldLabel('content')}
        value={draft.content}
        onChange={(event) => set({ content: event.currentTarget.value })}
        error={contentError}
        required
        autosize
        minRows={isQuestionAnswer ? 2 : 6}
        maxRows={16}
        data-autofocus
      />
      {isQuestionAnswer ? (
        <Textarea
          label={renderFieldLabel('answer')}
          value={draft.answer}
          onChange={(event) => set({ answer: event.currentTarget.value })}
          error={answerError}
          required
          autosize
          minRows={4}
          maxRows={16}
        />
      ) : null}
      <TextInput
        label={renderFieldLabel('keywords')}
        description={t('keywordsText')}
        value={draft.keywords}
        onChange={(event) => set({ keywords: event.currentTarget.value })}
      />
    </>
  )
}

/** Maximum segments of one request; released platforms refuse more. */
export const MAX_NEW_SEGMENTS = 1000

/** What was typed for new segments: one with its parts, or many, one per line. */
export interface SegmentDraft {
  mode: 'one' | 'many'
  content: string
  answer: string
  /** Separated by commas. */
  keywords: string
  lines: string
}

export const EMPTY_SEGMENT_DRAFT: SegmentDraft = { mode: 'one', content: '', answer: '', keywords: '', lines: '' }

type NewSegments = z.input<typeof SegmentsCreate>['segments']
type SegmentDraftError =
  | { field: 'content' | 'answer' | 'lines'; kind: 'empty' }
  | { field: 'lines'; kind: 'tooMany' }
  /** Counts from 1, empty lines included, as an editor does. */
  | { field: 'lines'; kind: 'withoutAnswer'; line: number }

/** The segments of a draft, or what is wrong with it. In Q&A form a line is a question and an answer, with a tab between. */
export function parseSegmentDraft(
  { mode, content, answer, keywords, lines }: SegmentDraft,
  isQuestionAnswer: boolean,
): { segments: NewSegments } | { error: SegmentDraftError } {
  if (mode === 'one') {
    if (content.trim() === '') return { error: { field: 'content', kind: 'empty' } }
    if (isQuestionAnswer && answer.trim() === '') return { error: { field: 'answer', kind: 'empty' } }
    const words = parseKeywords(keywords)
    return {
      segments: [
        {
          content,
          ...(isQuestionAnswer ? { answer } : {}),
          ...(words.length > 0 ? { keywords: words } : {}),
        },
      ],
    }
  }
  const segments: NewSegments = []
  for (const [index, line] of lines.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue
    const [question = '', ...rest] = isQuestionAnswer ? line.split('\t') : [line]
    const given = rest.join('\t').trim()
    if (isQuestionAnswer && (question.trim() === '' || given === ''))
      return { error: { field: 'lines', kind: 'withoutAnswer', line: index + 1 } }
    segments.push({ content: question.trim(), ...(isQuestionAnswer ? { answer: given } : {}) })
  }
  if (segments.length === 0) return { error: { field: 'lines', kind: 'empty' } }
  if (segments.length > MAX_NEW_SEGMENTS) return { error: { field: 'lines', kind: 'tooMany' } }
  return { segments }
}

/** How many segments a text of lines has. */
const countLines = (lines: string): number => lines.split(/\r?\n/).filter((line) => line.trim() !== '').length
