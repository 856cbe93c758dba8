import { Button, Text } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconRefresh, IconTrash } from '@tabler/icons-react'
import { getRequiredAccess } from '#contract/permissions.ts'
import { optionalSegmentEndpoints } from '#contract/platform/optionalSegments.ts'
import { segmentEndpoints } from '#contract/platform/segments.ts'
import type { ChildChunkRecord, DocumentRecord } from '#domain/documentRecord.ts'
import { IdChip } from '../../../../components/data/IdChip.tsx'
import { ProblemAlert } from '../../../../components/layout/ProblemAlert.tsx'
import { SendWhenAvailable, useWhenAvailable } from '../../indexing/SendWhenAvailable.tsx'
import { TextDiff } from '../../../../components/data/textDiff/TextDiff.tsx'
import { useWhileMounted } from '../../../../components/hooks/useWhileMounted.ts'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import { useWrite } from '../../../../client/query.ts'
import { useDeleteDialog } from '../../../../components/overlays/useDeleteDialog.ts'
import type { SegmentTarget } from '../useChildChunks.ts'
import { ChunkHistory } from './ChunkHistory.tsx'
import { TextConflict } from './EditConflict.tsx'
import fields from '../../../../components/forms/Fields.module.css'
import { ContentField, EditorLayout, EditorSection, ReasonField } from './EditorLayout.tsx'
import { segmentMessages } from '../messages.ts'
import { useChildChunkEditor } from './useChildChunkEditor.ts'
import { useChunkVersions } from './chunkVersions.ts'
import { usePermission } from '../../../../client/usePermission.ts'
import { PermissionNote } from '../../../../components/layout/PermissionNote.tsx'

export interface ChildChunkEditorProps {
  input: SegmentTarget
  keyId: string
  workspace: string
  /** Its document, whose state decides whether a platform takes an edit. */
  record: DocumentRecord | null
  /** Null for a new one; `number` is its place among its siblings. */
  chunk: ChildChunkRecord | null
  number: number
  canDelete: boolean
  onClose: () => void
  onSaved: (chunk: ChildChunkRecord) => void
  /** Asks the question again that led here; null where none did. */
  onAskAgain: (() => void) | null
}

/** Writes a child chunk (operations 9 and 10): the difference before it is saved, and every version after. */
export function ChildChunkEditor(props: ChildChunkEditorProps) {
  const { input, keyId, workspace, record, chunk, number, canDelete, onClose, onSaved, onAskAgain } = props
  const t = useMessages(segmentMessages)
  const history = useChunkVersions('child', chunk?.id, workspace)
  const knownTexts = history.versions.map(({ content }) => content)
  const editor = useChildChunkEditor({ input, keyId, workspace, chunk, knownTexts, onSaved })
  const openDelete = useDeleteDialog()
  const whileMounted = useWhileMounted()
  const remove = useWrite(optionalSegmentEndpoints.deleteChildChunk, {
    onDone: () => {
      editor.discard()
      whileMounted(onClose)()
    },
  })
  const can = usePermission()(segmentEndpoints.updateChildChunk)
  const { draft, isChanged, conflict } = editor
  const isEmpty = draft.content.trim() === ''
  const canSave = can && isChanged && !isEmpty && !conflict && !editor.isSaving
  const waiting = useWhenAvailable(record, () => void editor.save())
  useHotkeys([['mod+Enter', () => canSave && waiting.send()]], [])
  return (
    <EditorLayout
      title={chunk ? t('child', { number }) : t('newChild')}
      saveState={isChanged ? 'not saved' : (chunk?.status ?? null)}
      facts={
        chunk ? (
          <>
            {chunk.word_count == null ? null : <span>{t('wordsOf', { n: chunk.word_count })}</span>}
            {chunk.tokens == null ? null : <span>{t('tokensOf', { n: chunk.tokens })}</span>}
            <IdChip id={chunk.id} />
          </>
        ) : null
      }
      onClose={onClose}
      footer={
        chunk ? (
          <ChunkHistory
            {...history}
            current={{ content: chunk.content ?? '', answer: null }}
            onRestore={can ? ({ content }) => editor.change({ content }) : null}
          />
        ) : null
      }
    >
      <ContentField edit={editor} rows={7} readOnly={!can} error={isChanged && isEmpty ? t('emptyChild') : undefined} />
      {isChanged && !conflict ? (
        <EditorSection title={t('beforeSaving')}>
          <TextDiff before={draft.base} after={draft.content} />
          <Text fz="sm" c="dimmed">
            {t('parentStays')}
          </Text>
        </EditorSection>
      ) : null}
      <TextConflict edit={editor} />
      {editor.problem ? <ProblemAlert problem={editor.problem} action={t('saveWhat')} isInForm /> : null}
      {editor.isDeleted ? (
        <Text fz={13} c="var(--failed-fg)" role="alert">
          {t('childDeleted')}
        </Text>
      ) : null}
      {can ? (
        <>
          <ReasonField edit={editor} />
          <SendWhenAvailable
            waiting={waiting}
            record={record}
            label={t(chunk ? 'saveChild' : 'createChild')}
            isPending={editor.isSaving}
            isDisabled={!canSave}
            className={fields.inline}
          >
            {onAskAgain && waiting.isAvailable ? (
              <Button
                variant="default"
                leftSection={<IconRefresh size={14} />}
                disabled={!canSave}
                onClick={() => void editor.save().then((isSaved) => isSaved && onAskAgain())}
              >
                {t('saveAndAsk')}
              </Button>
            ) : null}
            <Button variant="default" disabled={!isChanged && draft.note === ''} onClick={editor.discard}>
              {t('discard')}
            </Button>
            {chunk && canDelete ? (
              <Button
                variant="subtle"
                color="gray"
                leftSection={<IconTrash size={14} />}
                onClick={() =>
                  openDelete({
                    title: t('deleteChildTitle', { number }),
                    lost: [t('deleteChildText')],
                    kept: [t('deleteChildKept')],
                    confirmLabel: t('deleteChildDo'),
                    cancelLabel: t('cancel'),
                    action: t('deleteChildWhat'),
                    run: () => remove.mutateAsync({ key: keyId, params: { ...input, child_chunk_id: chunk.id } }),
                  })
                }
              >
                {t('delete')}
              </Button>
            ) : null}
          </SendWhenAvailable>
        </>
      ) : (
        <PermissionNote {...getRequiredAccess(segmentEndpoints.updateChildChunk)} />
      )}
    </EditorLayout>
  )
}
