import { Button, Checkbox, Textarea, TextInput } from '@mantine/core'
import { useSessionStorage } from '@mantine/hooks'
import { useState } from 'react'
import { contract } from '#contract/index.ts'
import { type Problem, ProblemError } from '#contract/problem.ts'
import type { DocumentRecord, SegmentRecord } from '#contract/records.ts'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { SendWhenAvailable } from '../../ui/indexing/SendWhenAvailable.tsx'
import { useWhenAvailable } from '../../ui/indexing/useWhenAvailable.ts'
import { TextDiff } from '../../ui/TextDiff.tsx'
import { useWords } from '../../ui/words.ts'
import { call } from '../../wire/call.ts'
import { useWrite } from '../../wire/query.ts'
import type { SegmentInput } from './children.ts'
import { Conflict } from './Conflict.tsx'
import classes from './Editor.module.css'
import { EditorFrame } from './EditorFrame.tsx'
import { segmentsWords } from './messages.ts'
import { SizeNote } from './SizeNote.tsx'
import { SideConflict } from './SideConflict.tsx'
import { type Decision, decide, type Draft, settle } from './saving.ts'

export interface SegmentEditorProps {
  input: SegmentInput
  keyId: string
  /** Its document, whose state decides whether a platform takes an edit. */
  record: DocumentRecord | null
  segment: SegmentRecord
  hasChildren: boolean
  onClose: () => void
}

interface SegmentDraft extends Draft {
  answer: string
  keywords: string
  /** The fields beside the text, as they were when the edit began. */
  was: Sides
  regenerate: boolean
}

type Sides = Pick<SegmentDraft, 'answer' | 'keywords'>
const SIDES = ['answer', 'keywords'] as const

/** Edits a segment where the platform offers it; read again before it is written, as a child chunk is. */
export function SegmentEditor({ input, keyId, record, segment, hasChildren, onClose }: SegmentEditorProps) {
  const t = useWords(segmentsWords)
  const content = segment.content ?? ''
  const sides = sidesOf(segment)
  const begin: SegmentDraft = { base: content, content, note: '', ...sides, was: sides, regenerate: false }
  const [kept, keep, drop] = useSessionStorage<SegmentDraft | null>({
    key: `loupe.segment-edit.${segment.id}`,
    defaultValue: null,
    getInitialValueInEffect: false,
  })
  const draft = kept ?? begin
  const [conflict, setConflict] = useState<Extract<Decision, { kind: 'conflict' }> | null>(null)
  /** What the fields beside the text are now, where they and the draft have both changed. */
  const [apart, setApart] = useState<Partial<Sides>>({})
  const [problem, setProblem] = useState<Problem | null>(null)
  const update = useWrite(contract.adjacent.updateSegment)
  const change = (values: Partial<SegmentDraft>) => keep({ ...draft, ...values })
  const isChanged = kept !== null && JSON.stringify(kept) !== JSON.stringify(begin)
  const discard = () => {
    drop()
    setConflict(null)
    setApart({})
    setProblem(null)
  }
  const isApart = Object.keys(apart).length > 0
  const save = async () => {
    setProblem(null)
    try {
      const now = await call(contract.segments.read, { key: keyId, params: { ...input } })
      const decision = decide(draft, now.data.content ?? '')
      if (decision.kind === 'conflict') return setConflict(decision)
      const theirs = sidesOf(now.data)
      const settled = SIDES.map(
        (name) => [name, settle({ base: draft.was[name], mine: draft[name], theirs: theirs[name] })] as const,
      )
      const unsettled = settled.flatMap(([name, value]) => (value === null ? [[name, theirs[name]] as const] : []))
      if (unsettled.length > 0) return setApart(Object.fromEntries(unsettled))
      const { answer, keywords } = Object.fromEntries(settled) as unknown as Sides
      await update.mutateAsync({
        key: keyId,
        params: { ...input },
        ...(draft.note.trim() ? { note: draft.note.trim() } : {}),
        body: {
          segment: {
            content: draft.content,
            ...(segment.answer == null ? {} : { answer }),
            keywords: wordsOf(keywords),
            ...(hasChildren ? { regenerate_child_chunks: draft.regenerate } : {}),
          },
        },
      })
      drop()
      onClose()
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      setProblem(error.problem)
    }
  }
  const waiting = useWhenAvailable(record, () => void save())
  return (
    <EditorFrame title={t('editSegment')} state={isChanged ? 'not saved' : null} onClose={onClose}>
      <Textarea
        label="content"
        value={draft.content}
        rows={9}
        resize="vertical"
        maxLength={100_000}
        onChange={(event) => change({ content: event.currentTarget.value })}
      />
      <SizeNote text={draft.content} before={draft.base} />
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
        <Conflict
          draft={draft}
          conflict={conflict}
          onSettle={(settled, theirs) => {
            change({ base: theirs, content: settled })
            setConflict(null)
          }}
          onTheirs={discard}
        />
      ) : null}
      {SIDES.map((name) => {
        const theirs = apart[name]
        if (theirs === undefined) return null
        const end = (value: string) => {
          change({ [name]: value, was: { ...draft.was, [name]: theirs } })
          setApart(({ [name]: _settled, ...rest }) => rest)
        }
        return (
          <SideConflict key={name} name={name} base={draft.was[name]} mine={draft[name]} theirs={theirs} onEnd={end} />
        )
      })}
      {problem ? <ProblemNote problem={problem} what={t('saveSegmentWhat')} isAtForm /> : null}
      <TextInput
        label={t('why')}
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
        isDisabled={!isChanged || draft.content.trim() === '' || conflict !== null || isApart}
        className={classes.buttons}
      >
        <Button variant="default" disabled={!isChanged} onClick={discard}>
          {t('discard')}
        </Button>
      </SendWhenAvailable>
    </EditorFrame>
  )
}

const sidesOf = ({ answer, keywords }: SegmentRecord): Sides => ({
  answer: answer ?? '',
  keywords: (keywords ?? []).join(', '),
})
const wordsOf = (keywords: string): string[] => keywords.split(',').flatMap((word) => word.trim() || [])
