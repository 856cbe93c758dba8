import { useSessionStorage } from '@mantine/hooks'
import { useState } from 'react'
import { type Problem, ProblemError } from '#contract/problem.ts'
import { segmentEndpoints } from '#contract/platform/segments.ts'
import { savedItemEndpoints } from '#contract/console/savedItems.ts'
import type { ChildChunkRecord } from '#domain/documentRecord.ts'
import { useWhileMounted } from '../../../../components/hooks/useWhileMounted.ts'
import { useWrite } from '../../../../client/query.ts'
import { toChunkDraftKey } from '../../chunkDrafts.ts'
import { readChildChunks, type SegmentTarget } from '../useChildChunks.ts'
import { type SaveDecision, decideSave, rebaseDraft, type TextDraft } from './editConflict.ts'

export interface ChildChunkEditorInput {
  input: SegmentTarget
  keyId: string
  workspace: string
  /** Null for one that is to be made. */
  chunk: ChildChunkRecord | null
  /** Texts that the history holds already. */
  knownTexts: readonly string[]
  onSaved: (chunk: ChildChunkRecord) => void
}

/**
 * The draft of a child chunk, in session storage, and its save: the chunk is read again first, and after a change by
 * another person nothing is written until both texts have been shown.
 */
export function useChildChunkEditor({ input, keyId, workspace, chunk, knownTexts, onSaved }: ChildChunkEditorInput) {
  const initialDraft = toTextDraft(chunk?.content ?? '')
  const [storedDraft, saveDraft, deleteDraft] = useSessionStorage<TextDraft | null>({
    key: toChunkDraftKey({ ...input, chunk: chunk?.id ?? 'new' }),
    defaultValue: null,
    getInitialValueInEffect: false,
  })
  const [conflict, setConflict] = useState<Extract<SaveDecision, { kind: 'conflict' }> | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [isDeleted, setDeleted] = useState(false)
  const [isSaving, setSaving] = useState(false)
  const whileMounted = useWhileMounted()
  const create = useWrite(segmentEndpoints.createChildChunk)
  const update = useWrite(segmentEndpoints.updateChildChunk)
  const recordPrevious = useWrite(savedItemEndpoints.createSavedItem)
  const draft = storedDraft ?? initialDraft

  const write = async (): Promise<ChildChunkRecord | null> => {
    const target = {
      key: keyId,
      body: { content: draft.content },
      ...(draft.note.trim() ? { note: draft.note.trim() } : {}),
    }
    if (!chunk) return (await create.mutateAsync({ ...target, params: { ...input } })).data
    const now = (await readChildChunks(keyId, input)).find(({ id }) => id === chunk.id)
    if (!now) {
      setDeleted(true)
      return null
    }
    const theirs = now.content ?? ''
    const decision = decideSave(draft, theirs)
    if (decision.kind === 'conflict') {
      setConflict(decision)
      return null
    }
    if (decision.kind === 'nothing') return now
    // The console is about to overwrite a text from elsewhere: store it, so that it can be restored.
    if (!knownTexts.includes(theirs))
      await recordPrevious.mutateAsync({
        body: { kind: 'mark', workspace, about: chunk.id, name: 'Text before an edit', value: { content: theirs } },
      })
    return (await update.mutateAsync({ ...target, params: { ...input, child_chunk_id: chunk.id } })).data
  }
  const save = async (): Promise<boolean> => {
    setSaving(true)
    setProblem(null)
    setDeleted(false)
    try {
      const saved = await write()
      if (!saved) return false
      saveDraft((current) => rebaseDraft(current, draft, toTextDraft(saved.content ?? draft.content)))
      whileMounted(onSaved)(saved)
      return true
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      setProblem(error.problem)
      return false
    } finally {
      setSaving(false)
    }
  }
  return {
    draft,
    isChanged: draft.content !== draft.base,
    change: (change: Partial<TextDraft>) => saveDraft({ ...draft, ...change }),
    conflict,
    /** Goes on from their text, with what is to become of it; the next save shows and writes the difference. */
    settle: (content: string, theirs: string) => {
      saveDraft({ ...draft, base: theirs, content })
      setConflict(null)
    },
    discard: () => {
      deleteDraft()
      setConflict(null)
      setProblem(null)
    },
    /** Resolves to whether it was saved. */
    save,
    isSaving,
    problem,
    isGone: isDeleted,
  }
}

const toTextDraft = (content: string): TextDraft => ({ base: content, content, note: '' })
