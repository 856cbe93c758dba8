import { Button, Checkbox, Textarea, TextInput } from '@mantine/core'
import { useSessionStorage } from '@mantine/hooks'
import { useState } from 'react'
import { contract } from '#contract/index.ts'
import { type Problem, ProblemError } from '#contract/problem.ts'
import type { DocumentRecord, SegmentRecord } from '#domain/documentRecord.ts'
import { ProblemAlert } from '../../../../components/layout/ProblemAlert.tsx'
import { SendWhenAvailable } from '../../indexing/SendWhenAvailable.tsx'
import { useWhenAvailable } from '../../indexing/useWhenAvailable.ts'
import { TextDiff } from '../../../../components/data/textDiff/TextDiff.tsx'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import { call } from '../../../../client/http.ts'
import { useWrite } from '../../../../client/query.ts'
import type { SegmentTarget } from '../useChildChunks.ts'
import { TextConflict } from './TextConflict.tsx'
import classes from './Editor.module.css'
import { EditorLayout } from './EditorLayout.tsx'
import { segmentMessages } from '../messages.ts'
import { TextSizeNote } from './TextSizeNote.tsx'
import { FieldConflict } from './FieldConflict.tsx'
import { type SaveDecision, decideSave, type TextDraft, resolveField } from './editConflict.ts'

export interface SegmentEditorProps {
  input: SegmentTarget
  keyId: string
  /** Its document, whose state decides whether a platform takes an edit. */
  record: DocumentRecord | null
  segment: SegmentRecord
  hasChildren: boolean
  onClose: () => void
}

interface SegmentDraft extends TextDraft {
  answer: string
  keywords: string
  /** The fields beside the text, as they were when the edit began. */
  originalFields: SegmentFieldValues
  regenerate: boolean
}

type SegmentFieldValues = Pick<SegmentDraft, 'answer' | 'keywords'>
const SEGMENT_FIELDS = ['answer', 'keywords'] as const

/** Edits a segment where the platform offers it; read again before it is written, as a child chunk is. */
export function SegmentEditor({ input, keyId, record, segment, hasChildren, onClose }: SegmentEditorProps) {
  const t = useMessages(segmentMessages)
  const content = segment.content ?? ''
  const fieldValues = toFieldValues(segment)
  const initialDraft: SegmentDraft = {
    base: content,
    content,
    note: '',
    ...fieldValues,
    originalFields: fieldValues,
    regenerate: false,
  }
  const [storedDraft, saveDraft, deleteDraft] = useSessionStorage<SegmentDraft | null>({
    key: `loupe.segment-edit.${segment.id}`,
    defaultValue: null,
    getInitialValueInEffect: false,
  })
  const draft = storedDraft ?? initialDraft
  const [conflict, setConflict] = useState<Extract<SaveDecision, { kind: 'conflict' }> | null>(null)
  /** What the fields beside the text are now, where they and the draft have both changed. */
  const [fieldConflicts, setFieldConflicts] = useState<Partial<SegmentFieldValues>>({})
  const [problem, setProblem] = useState<Problem | null>(null)
  const update = useWrite(contract.adjacent.updateSegment)
  const change = (values: Partial<SegmentDraft>) => saveDraft({ ...draft, ...values })
  const isChanged = storedDraft !== null && JSON.stringify(storedDraft) !== JSON.stringify(initialDraft)
  const discard = () => {
    deleteDraft()
    setConflict(null)
    setFieldConflicts({})
    setProblem(null)
  }
  const hasFieldConflict = Object.keys(fieldConflicts).length > 0
  const save = async () => {
    setProblem(null)
    try {
      const now = await call(contract.segments.read, { key: keyId, params: { ...input } })
      const decision = decideSave(draft, now.data.content ?? '')
      if (decision.kind === 'conflict') return setConflict(decision)
      const theirs = toFieldValues(now.data)
      const resolvedFields = SEGMENT_FIELDS.map(
        (name) =>
          [name, resolveField({ base: draft.originalFields[name], mine: draft[name], theirs: theirs[name] })] as const,
      )
      const unresolvedFields = resolvedFields.flatMap(([name, value]) =>
        value === null ? [[name, theirs[name]] as const] : [],
      )
      if (unresolvedFields.length > 0) return setFieldConflicts(Object.fromEntries(unresolvedFields))
      const { answer, keywords } = Object.fromEntries(resolvedFields) as unknown as SegmentFieldValues
      await update.mutateAsync({
        key: keyId,
        params: { ...input },
        ...(draft.note.trim() ? { note: draft.note.trim() } : {}),
        body: {
          segment: {
            content: draft.content,
            ...(segment.answer == null ? {} : { answer }),
            keywords: parseKeywords(keywords),
            ...(hasChildren ? { regenerate_child_chunks: draft.regenerate } : {}),
          },
        },
      })
      deleteDraft()
      onClose()
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      setProblem(error.problem)
    }
  }
  const waiting = useWhenAvailable(record, () => void save())
  return (
    <EditorLayout title={t('editSegment')} saveState={isChanged ? 'not saved' : null} onClose={onClose}>
      <Textarea
        label="content"
        value={draft.content}
        rows={9}
        resize="vertical"
        maxLength={100_000}
        onChange={(event) => change({ content: event.currentTarget.value })}
      />
      <TextSizeNote text={draft.content} before={draft.base} />
      {segment.answer == null ? null : (
        <Textarea
          label="answer"
          value={draft.answer}
          rows={5}
          resize="vertical"
          onChange={(event) => change({ answer: event.currentTarget.value })}
        />
      )}
      <TextInput
        label="keywords"
        description={t('keywordsText')}
        value={draft.keywords}
        onChange={(event) => change({ keywords: event.currentTarget.value })}
      />
      {hasChildren ? (
        <Checkbox
          label="regenerate_child_chunks"
          description={t('regenerateText')}
          checked={draft.regenerate}
          onChange={(event) => change({ regenerate: event.currentTarget.checked })}
        />
      ) : null}
      {draft.content !== draft.base && !conflict ? (
        <section aria-label={t('beforeSaving')}>
          <h3>{t('beforeSaving')}</h3>
          <TextDiff before={draft.base} after={draft.content} />
        </section>
      ) : null}
      {conflict ? (
        <TextConflict
          draft={draft}
          conflict={conflict}
          onResolve={(resolvedFields, theirs) => {
            change({ base: theirs, content: resolvedFields })
            setConflict(null)
          }}
          onTakeTheirs={discard}
        />
      ) : null}
      {SEGMENT_FIELDS.map((name) => {
        const theirs = fieldConflicts[name]
        if (theirs === undefined) return null
        const end = (value: string) => {
          change({ [name]: value, originalFields: { ...draft.originalFields, [name]: theirs } })
          setFieldConflicts(({ [name]: _settled, ...rest }) => rest)
        }
        return (
          <FieldConflict
            key={name}
            name={name}
            base={draft.originalFields[name]}
            mine={draft[name]}
            theirs={theirs}
            onResolve={end}
          />
        )
      })}
      {problem ? <ProblemAlert problem={problem} action={t('saveSegmentWhat')} isInForm /> : null}
      <TextInput
        label={t('reason')}
        description={t('whyText')}
        value={draft.note}
        maxLength={500}
        onChange={(event) => change({ note: event.currentTarget.value })}
      />
      <SendWhenAvailable
        waiting={waiting}
        record={record}
        label={t('saveSegment')}
        isPending={update.isPending}
        isDisabled={!isChanged || draft.content.trim() === '' || conflict !== null || hasFieldConflict}
        className={classes.buttons}
      >
        <Button variant="default" disabled={!isChanged} onClick={discard}>
          {t('discard')}
        </Button>
      </SendWhenAvailable>
    </EditorLayout>
  )
}

const toFieldValues = ({ answer, keywords }: SegmentRecord): SegmentFieldValues => ({
  answer: answer ?? '',
  keywords: (keywords ?? []).join(', '),
})
const parseKeywords = (keywords: string): string[] => keywords.split(',').flatMap((word) => word.trim() || [])
