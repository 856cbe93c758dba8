import { useSessionStorage } from '@mantine/hooks'
import { useRef, useState } from 'react'
import { type Problem, ProblemError } from '#contract/problem.ts'
import { optionalSegmentEndpoints } from '#contract/platform/optionalSegments.ts'
import { savedItemEndpoints } from '#contract/console/savedItems.ts'
import { segmentEndpoints } from '#contract/platform/segments.ts'
import type { DocumentRecord, SegmentRecord } from '#domain/documentRecord.ts'
import { useWhileMounted } from '../../../../components/hooks/useWhileMounted.ts'
import { useWhenAvailable } from '../../indexing/SendWhenAvailable.tsx'
import { call } from '../../../../client/http.ts'
import { useWrite } from '../../../../client/query.ts'
import { toChunkDraftKey } from '../../chunkDrafts.ts'
import type { SegmentTarget } from '../useChildChunks.ts'
import { type ChunkVersion, hasSameText } from './chunkVersions.ts'
import { type SaveDecision, decideSave, rebaseDraft, resolveField, type TextDraft } from './editConflict.ts'

export interface SegmentEditInput {
  input: SegmentTarget
  keyId: string
  workspace: string
  /** Texts that the history holds already. */
  knownVersions: readonly Pick<ChunkVersion, 'content' | 'answer'>[]
  /** Its document, whose state decides whether a platform takes an edit. */
  record: DocumentRecord | null
  segment: SegmentRecord
  hasChildren: boolean
  onClose: () => void
  /** A parent was saved, and its children were kept; tells what its text was before. */
  onParentSaved: (before: string) => void
}

interface SegmentDraft extends TextDraft {
  answer: string
  keywords: string
  /** The fields beside the text, as they were when the edit began. */
  originalFields: SegmentFieldValues
  regenerate: boolean
}

type SegmentFieldValues = Pick<SegmentDraft, 'answer' | 'keywords'>
export const SEGMENT_FIELDS = ['answer', 'keywords'] as const

/** The draft of a segment, in session storage, and its save: read again before it is written, like a child chunk. */
export function useSegmentEdit(editInput: SegmentEditInput) {
  const { input, keyId, workspace, knownVersions, record, segment, hasChildren, onClose, onParentSaved } = editInput
  const initialDraft = toSegmentDraft(segment)
  const [storedDraft, saveDraft, deleteDraft] = useSessionStorage<SegmentDraft | null>({
    key: toChunkDraftKey({ ...input, chunk: 'segment' }),
    defaultValue: null,
    getInitialValueInEffect: false,
  })
  const draft = storedDraft ?? initialDraft
  const [conflict, setConflict] = useState<Extract<SaveDecision, { kind: 'conflict' }> | null>(null)
  /** What the fields beside the text are now, where they and the draft have both changed. */
  const [fieldConflicts, setFieldConflicts] = useState<Partial<SegmentFieldValues>>({})
  const [problem, setProblem] = useState<Problem | null>(null)
  const [areKeywordsDropped, setKeywordsDropped] = useState(false)
  const [isSaving, setSaving] = useState(false)
  const whileMounted = useWhileMounted()
  // A second press may come before the next render.
  const isSaveRunning = useRef(false)
  const update = useWrite(optionalSegmentEndpoints.updateSegment)
  const recordPrevious = useWrite(savedItemEndpoints.createSavedItem)
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
    if (isSaveRunning.current) return
    isSaveRunning.current = true
    setSaving(true)
    setProblem(null)
    try {
      const now = await call(segmentEndpoints.read, { key: keyId, params: { ...input } })
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
      // The console is about to overwrite a text from elsewhere: store it, so that it can be restored.
      const former = { content: now.data.content ?? '', answer: now.data.answer ?? null }
      const isTextChanged = !hasSameText(former, {
        content: draft.content,
        answer: former.answer === null ? null : answer,
      })
      if (isTextChanged && !knownVersions.some((version) => hasSameText(version, former)))
        await recordPrevious.mutateAsync({
          body: { kind: 'mark', workspace, about: segment.id, name: 'Text before an edit', value: former },
        })
      const saved = await update.mutateAsync({
        key: keyId,
        params: { ...input },
        ...(draft.note.trim() ? { note: draft.note.trim() } : {}),
        body: { segment: toSegmentUpdate({ ...draft, answer, keywords }, segment, hasChildren) },
      })
      const savedDraft = toSegmentDraft({ ...saved.data, content: saved.data.content ?? draft.content })
      saveDraft((current) => rebaseDraft(current, draft, savedDraft))
      if (hasChildren && !draft.regenerate && former.content !== saved.data.content) onParentSaved(former.content)
      // Platforms store keywords of economy datasets only, and accept them silently for others.
      if (parseKeywords(keywords).length > 0 && (saved.data.keywords ?? []).length === 0) setKeywordsDropped(true)
      else whileMounted(onClose)()
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      setProblem(error.problem)
    } finally {
      isSaveRunning.current = false
      setSaving(false)
    }
  }
  const waiting = useWhenAvailable(record, () => void save())
  const canPredict = isChanged && draft.content.trim() !== ''
  return {
    /** What would be saved; null where nothing would. */
    predictedEdit: canPredict
      ? {
          segments: [
            {
              id: segment.id,
              document_id: input.document_id,
              ...toSegmentUpdate(draft, segment, hasChildren),
            },
          ],
        }
      : null,
    draft,
    change,
    discard,
    isChanged,
    conflict,
    /** Goes on from their text, with what is to become of it. */
    resolveConflict: (content: string, theirs: string) => {
      change({ base: theirs, content })
      setConflict(null)
    },
    fieldConflicts,
    resolveFieldConflict: (name: keyof SegmentFieldValues, value: string, theirs: string) => {
      change({ [name]: value, originalFields: { ...draft.originalFields, [name]: theirs } })
      setFieldConflicts(({ [name]: _settled, ...rest }) => rest)
    },
    problem,
    /** The segment was saved, but the platform did not store its keywords. */
    areKeywordsDropped,
    waiting,
    isSaving,
    canSave: isChanged && draft.content.trim() !== '' && conflict === null && !hasFieldConflict,
  }
}

const toSegmentUpdate = (
  { content, answer, keywords, regenerate }: Pick<SegmentDraft, 'content' | 'answer' | 'keywords' | 'regenerate'>,
  segment: SegmentRecord,
  hasChildren: boolean,
) => ({
  content,
  ...(segment.answer == null ? {} : { answer }),
  keywords: parseKeywords(keywords),
  ...(hasChildren ? { regenerate_child_chunks: regenerate } : {}),
})

function toSegmentDraft(segment: SegmentRecord): SegmentDraft {
  const content = segment.content ?? ''
  const fieldValues = toFieldValues(segment)
  return { base: content, content, note: '', ...fieldValues, originalFields: fieldValues, regenerate: false }
}

const toFieldValues = ({ answer, keywords }: SegmentRecord): SegmentFieldValues => ({
  answer: answer ?? '',
  keywords: (keywords ?? []).join(', '),
})
/** The keywords of a text that separates them by commas. */
export const parseKeywords = (keywords: string): string[] => keywords.split(',').flatMap((word) => word.trim() || [])
