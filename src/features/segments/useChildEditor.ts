import { useSessionStorage } from '@mantine/hooks'
import { useState } from 'react'
import { contract } from '#contract/index.ts'
import { type Problem, ProblemError } from '#contract/problem.ts'
import type { ChildChunkRecord } from '#contract/records.ts'
import { useWrite } from '../../wire/query.ts'
import { readChildren, type SegmentInput } from './children.ts'
import { type Decision, decide, type Draft } from './saving.ts'

export interface ChildEditorInput {
  input: SegmentInput
  keyId: string
  workspace: string
  /** Null for one that is to be made. */
  chunk: ChildChunkRecord | null
  /** Texts that the history holds already. */
  known: readonly string[]
  onSaved: (chunk: ChildChunkRecord) => void
}

/**
 * The draft of a child chunk, kept in the tab, and its way to the platform: before it is written the chunk is read again,
 * and where somebody else has changed it nothing is written until both texts have been seen.
 */
export function useChildEditor({ input, keyId, workspace, chunk, known, onSaved }: ChildEditorInput) {
  const begin: Draft = { base: chunk?.content ?? '', content: chunk?.content ?? '', note: '' }
  const [kept, keep, drop] = useSessionStorage<Draft | null>({
    key: `loupe.child.${input.segment_id}.${chunk?.id ?? 'new'}`,
    defaultValue: null,
    getInitialValueInEffect: false,
  })
  const [conflict, setConflict] = useState<Extract<Decision, { kind: 'conflict' }> | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [isGone, setGone] = useState(false)
  const [isSaving, setSaving] = useState(false)
  const create = useWrite(contract.segments.createChildChunk)
  const update = useWrite(contract.segments.updateChildChunk)
  const keepBefore = useWrite(contract.console.createKept)
  const draft = kept ?? begin

  const write = async (): Promise<ChildChunkRecord | null> => {
    const target = {
      key: keyId,
      body: { content: draft.content },
      ...(draft.note.trim() ? { note: draft.note.trim() } : {}),
    }
    if (!chunk) return (await create.mutateAsync({ ...target, params: { ...input } })).data
    const now = (await readChildren(keyId, input)).find(({ id }) => id === chunk.id)
    if (!now) {
      setGone(true)
      return null
    }
    const theirs = now.content ?? ''
    const decision = decide(draft, theirs)
    if (decision.kind === 'conflict') {
      setConflict(decision)
      return null
    }
    if (decision.kind === 'nothing') return now
    // This console is about to write over a text that it never wrote itself: it is kept, so that there is a way back to it.
    if (!known.includes(theirs))
      await keepBefore.mutateAsync({
        body: { kind: 'mark', workspace, about: chunk.id, name: 'Text before an edit', value: { content: theirs } },
      })
    return (await update.mutateAsync({ ...target, params: { ...input, child_chunk_id: chunk.id } })).data
  }
  const save = async () => {
    setSaving(true)
    setProblem(null)
    setGone(false)
    try {
      const saved = await write()
      if (!saved) return
      drop()
      onSaved(saved)
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      setProblem(error.problem)
    } finally {
      setSaving(false)
    }
  }
  return {
    draft,
    isChanged: draft.content !== draft.base,
    change: (change: Partial<Draft>) => keep({ ...draft, ...change }),
    conflict,
    /** Goes on from their text, with what is to become of it; the next save shows and writes the difference. */
    settle: (content: string, theirs: string) => {
      keep({ ...draft, base: theirs, content })
      setConflict(null)
    },
    discard: () => {
      drop()
      setConflict(null)
      setProblem(null)
    },
    save: () => void save(),
    isSaving,
    problem,
    isGone,
  }
}
