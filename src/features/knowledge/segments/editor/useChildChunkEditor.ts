import { useState } from 'react'
import { segmentEndpoints } from '#contract/platform/segments.ts'
import type { ChildChunkRecord } from '#domain/documentRecord.ts'
import { useWrite } from '../../../../client/query.ts'
import { useWhileMounted } from '../../../../components/hooks/useWhileMounted.ts'
import { readChildChunks, type SegmentTarget } from '../useChildChunks.ts'
import { decideSave, type TextDraft } from './editConflict.ts'
import { useTextDraft } from './useTextDraft.ts'

export interface ChildChunkEditorInput {
  input: SegmentTarget
  keyId: string
  workspace: string
  /** Null for a new one. */
  chunk: ChildChunkRecord | null
  /** Texts that the history holds already. */
  knownTexts: readonly string[]
  onSaved: (chunk: ChildChunkRecord) => void
}

export function useChildChunkEditor({ input, keyId, workspace, chunk, knownTexts, onSaved }: ChildChunkEditorInput) {
  const edit = useTextDraft({ ...input, chunk: chunk?.id ?? 'new' }, toTextDraft(chunk?.content ?? ''), workspace)
  const { draft } = edit
  const [isDeleted, setDeleted] = useState(false)
  const whileMounted = useWhileMounted()
  const create = useWrite(segmentEndpoints.createChildChunk)
  const update = useWrite(segmentEndpoints.updateChildChunk)

  /** @returns null where nothing may be written. */
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
    if (decision.kind === 'nothing') return now
    if (decision.kind === 'conflict') {
      edit.setConflict(decision)
      return null
    }
    if (!knownTexts.includes(theirs)) await edit.recordPrevious(chunk.id, { content: theirs })
    return (await update.mutateAsync({ ...target, params: { ...input, child_chunk_id: chunk.id } })).data
  }
  return {
    ...edit,
    isChanged: draft.content !== draft.base,
    save: () =>
      edit.runSave(async () => {
        setDeleted(false)
        const saved = await write()
        if (!saved) return false
        edit.rebase(toTextDraft(saved.content ?? draft.content))
        whileMounted(onSaved)(saved)
        return true
      }),
    isDeleted,
  }
}

const toTextDraft = (content: string): TextDraft => ({ base: content, content, note: '' })
