import { useState } from 'react'
import { optionalSegmentEndpoints } from '#contract/platform/optionalSegments.ts'
import { segmentEndpoints } from '#contract/platform/segments.ts'
import type { DocumentRecord, SegmentRecord } from '#domain/documentRecord.ts'
import { useWhileMounted } from '../../../../components/hooks/useWhileMounted.ts'
import { useWhenAvailable } from '../../indexing/SendWhenAvailable.tsx'
import { call } from '../../../../client/http.ts'
import { useWrite } from '../../../../client/query.ts'
import type { SegmentTarget } from '../useChildChunks.ts'
import { type ChunkVersion, hasSameText } from './chunkVersions.ts'
import { decideSave, resolveField, type TextDraft } from './editConflict.ts'
import { useTextDraft } from './useTextDraft.ts'

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
  /** A parent was saved without its children. Receives its previous text. */
  onParentSaved: (before: string) => void
}

interface SegmentDraft extends TextDraft {
  answer: string
  keywords: string
  /** The other fields at the start of the edit. */
  originalFields: SegmentFieldValues
  regenerate: boolean
}

type SegmentFieldValues = Pick<SegmentDraft, 'answer' | 'keywords'>
export const SEGMENT_FIELDS = ['answer', 'keywords'] as const

/** The draft of a segment, and its save: read again before it is written, like a child chunk. */
export function useSegmentEdit(editInput: SegmentEditInput) {
  const { input, keyId, workspace, knownVersions, record, segment, hasChildren, onClose, onParentSaved } = editInput
  const initialDraft = toSegmentDraft(segment)
  const edit = useTextDraft({ ...input, chunk: 'segment' }, initialDraft, workspace)
  const { draft, storedDraft, change, conflict } = edit
  /** The current values of other fields that both sides have changed. */
  const [fieldConflicts, setFieldConflicts] = useState<Partial<SegmentFieldValues>>({})
  const [areKeywordsDropped, setKeywordsDropped] = useState(false)
  const whileMounted = useWhileMounted()
  const update = useWrite(optionalSegmentEndpoints.updateSegment)
  const isChanged = storedDraft !== null && JSON.stringify(storedDraft) !== JSON.stringify(initialDraft)
  const save = () =>
    edit.runSave(async () => {
      const now = await call(segmentEndpoints.read, { key: keyId, params: { ...input } })
      const decision = decideSave(draft, now.data.content ?? '')
      if (decision.kind === 'conflict') {
        edit.setConflict(decision)
        return false
      }
      const theirs = toFieldValues(now.data)
      const resolvedFields = SEGMENT_FIELDS.map(
        (name) =>
          [name, resolveField({ base: draft.originalFields[name], mine: draft[name], theirs: theirs[name] })] as const,
      )
      const unresolvedFields = resolvedFields.flatMap(([name, value]) =>
        value === null ? [[name, theirs[name]] as const] : [],
      )
      if (unresolvedFields.length > 0) {
        setFieldConflicts(Object.fromEntries(unresolvedFields))
        return false
      }
      const { answer, keywords } = Object.fromEntries(resolvedFields) as unknown as SegmentFieldValues
      const former = { content: now.data.content ?? '', answer: now.data.answer ?? null }
      const isTextChanged = !hasSameText(former, {
        content: draft.content,
        answer: former.answer === null ? null : answer,
      })
      if (isTextChanged && !knownVersions.some((version) => hasSameText(version, former)))
        await edit.recordPrevious(segment.id, former)
      const saved = await update.mutateAsync({
        key: keyId,
        params: { ...input },
        ...(draft.note.trim() ? { note: draft.note.trim() } : {}),
        body: { segment: toSegmentUpdate({ ...draft, answer, keywords }, segment, hasChildren) },
      })
      const savedDraft = toSegmentDraft({ ...saved.data, content: saved.data.content ?? draft.content })
      edit.rebase(savedDraft)
      if (hasChildren && !draft.regenerate && former.content !== saved.data.content) onParentSaved(former.content)
      // Platforms store keywords of economy datasets only, and accept them silently for others.
      if (parseKeywords(keywords).length > 0 && (saved.data.keywords ?? []).length === 0) setKeywordsDropped(true)
      else whileMounted(onClose)()
      return true
    })
  const waiting = useWhenAvailable(record, () => void save())
  const canPredict = isChanged && draft.content.trim() !== ''
  return {
    ...edit,
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
    isChanged,
    discard: () => {
      edit.discard()
      setFieldConflicts({})
    },
    fieldConflicts,
    resolveFieldConflict: (name: keyof SegmentFieldValues, value: string, theirs: string) => {
      change({ [name]: value, originalFields: { ...draft.originalFields, [name]: theirs } })
      setFieldConflicts(({ [name]: _settled, ...rest }) => rest)
    },
    /** The segment was saved, but the platform did not store its keywords. */
    areKeywordsDropped,
    waiting,
    canSave: isChanged && draft.content.trim() !== '' && conflict === null && Object.keys(fieldConflicts).length === 0,
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
export const parseKeywords = (keywords: string): string[] => keywords.split(',').flatMap((word) => word.trim() || [])
