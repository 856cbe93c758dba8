import { SegmentedControl, Textarea, TextInput } from '@mantine/core'
import { useWatch } from 'react-hook-form'
import { z } from 'zod'
import { optionalSegmentEndpoints, type SegmentsCreate } from '#contract/platform/optionalSegments.ts'
import { FormDialog } from '../../../components/forms/FormDialog.tsx'
import { useContractForm } from '../../../components/forms/useContractForm.ts'
import fields from '../../../components/forms/Fields.module.css'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useWrite } from '../../../client/query.ts'
import { segmentMessages } from './messages.ts'
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

/** Adds a segment with its answer and keywords, or many from lines. The input is stored in this tab. */
export function AddSegments({ dataset_id, document_id, keyId, isQuestionAnswer, onClose, onAdded }: AddSegmentsProps) {
  const t = useMessages(segmentMessages)
  const add = useWrite(optionalSegmentEndpoints.createSegments)
  const toMessage = (error: SegmentDraftError) =>
    error.kind === 'withoutAnswer'
      ? t('lineWithoutAnswer', { line: error.line })
      : t(error.kind === 'tooMany' ? 'tooManyLines' : 'emptyChild')
  const form = useContractForm({
    schema: z.custom<SegmentDraft>().transform((draft, context) => {
      const parsed = parseSegmentDraft(draft, isQuestionAnswer)
      if ('segments' in parsed) return parsed
      context.addIssue({ code: 'custom', path: [parsed.error.field], message: toMessage(parsed.error) })
      return z.NEVER
    }),
    initialValues: EMPTY_SEGMENT_DRAFT,
    draftName: `segments.${document_id}`,
    send: (body) => add.mutateAsync({ key: keyId, params: { dataset_id, document_id }, body }),
    onDone: ({ data }) => onAdded(data[0]?.id),
  })
  const [mode, lines] = useWatch({ control: form.form.control, name: ['mode', 'lines'] })
  const mayGrow = { autosize: true, maxRows: 16 }
  return (
    <FormDialog
      form={form}
      title={t('addSegment')}
      size="lg"
      submitLabel={t('addSegmentDo', { n: mode === 'one' ? 1 : countLines(lines) })}
      action={t('addSegmentWhat')}
      onClose={onClose}
    >
      <SegmentedControl
        {...form.controlled('mode')}
        aria-label={t('addMode')}
        data={[
          { value: 'one', label: t('addOne') },
          { value: 'many', label: t('addMany') },
        ]}
      />
      {mode === 'one' ? (
        <>
          <Textarea
            {...form.field('content')}
            {...(isQuestionAnswer ? { label: t('question') } : {})}
            {...mayGrow}
            required
            minRows={isQuestionAnswer ? 2 : 6}
            data-autofocus
          />
          {isQuestionAnswer ? <Textarea {...form.field('answer')} {...mayGrow} required minRows={4} /> : null}
          <TextInput {...form.field('keywords')} description={t('keywordsText')} />
        </>
      ) : (
        <Textarea
          {...form.field('lines')}
          {...mayGrow}
          label={t('lines')}
          description={t(isQuestionAnswer ? 'linesTextAnswer' : 'linesText')}
          minRows={6}
          data-autofocus
        />
      )}
      <p className={fields.note}>{t('addNote')}</p>
    </FormDialog>
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

const countLines = (lines: string): number => lines.split(/\r?\n/).filter((line) => line.trim() !== '').length
