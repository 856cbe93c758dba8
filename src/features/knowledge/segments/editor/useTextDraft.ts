import { useSessionStorage } from '@mantine/hooks'
import { useRef, useState } from 'react'
import { savedItemEndpoints } from '#contract/console/savedItems.ts'
import { type Problem, ProblemError } from '#contract/problem.ts'
import { useWrite } from '../../../../client/query.ts'
import { type ChunkDraft, toChunkDraftKey } from '../../chunkDrafts.ts'
import { rebaseDraft, type SaveDecision, type TextDraft } from './editConflict.ts'

/**
 * A draft in session storage, and its save: the text is read again first, and after a change by another person nothing is
 * written until both texts have been shown.
 */
export function useTextDraft<Draft extends TextDraft>(target: ChunkDraft, initialDraft: Draft, workspace: string) {
  const [storedDraft, saveDraft, deleteDraft] = useSessionStorage<Draft | null>({
    key: toChunkDraftKey(target),
    defaultValue: null,
    getInitialValueInEffect: false,
  })
  const [conflict, setConflict] = useState<Extract<SaveDecision, { kind: 'conflict' }> | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [isSaving, setSaving] = useState(false)
  // A second press may come before the next render.
  const isSaveRunning = useRef(false)
  const createMark = useWrite(savedItemEndpoints.createSavedItem)
  const draft = storedDraft ?? initialDraft
  const change = (values: Partial<Draft>) => saveDraft({ ...draft, ...values })
  return {
    draft,
    /** Null where nothing was typed. */
    storedDraft,
    change,
    /** Keeps only what was typed while the draft was saved. */
    rebase: (saved: Draft) => saveDraft((current) => rebaseDraft(current, draft, saved)),
    discard: () => {
      deleteDraft()
      setConflict(null)
      setProblem(null)
    },
    conflict,
    setConflict,
    /** Goes on from their text, with what is to become of it; the next save shows and writes the difference. */
    resolveConflict: (content: string, theirs: string) => {
      saveDraft({ ...draft, base: theirs, content })
      setConflict(null)
    },
    /** Stores a text from outside this console before it is overwritten, so that it can be restored. */
    recordPrevious: (about: string, value: object) =>
      createMark.mutateAsync({ body: { kind: 'mark', workspace, about, name: 'Text before an edit', value } }),
    problem,
    isSaving,
    /** Runs one save at a time. Resolves to whether it has saved. */
    runSave: async (save: () => Promise<boolean>): Promise<boolean> => {
      if (isSaveRunning.current) return false
      isSaveRunning.current = true
      setSaving(true)
      setProblem(null)
      try {
        return await save()
      } catch (error) {
        if (!(error instanceof ProblemError)) throw error
        setProblem(error.problem)
        return false
      } finally {
        isSaveRunning.current = false
        setSaving(false)
      }
    },
  }
}
