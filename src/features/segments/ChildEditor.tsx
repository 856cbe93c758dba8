import { Button, Textarea, TextInput } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconTrash } from '@tabler/icons-react'
import { contract } from '#contract/index.ts'
import type { ChildChunkRecord, DocumentRecord } from '#contract/records.ts'
import { IdChip } from '../../ui/IdChip.tsx'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { SendWhenAvailable } from '../../ui/indexing/SendWhenAvailable.tsx'
import { useWhenAvailable } from '../../ui/indexing/useWhenAvailable.ts'
import { TextDiff } from '../../ui/TextDiff.tsx'
import { useWords } from '../../ui/words.ts'
import { useWrite } from '../../wire/query.ts'
import type { SegmentInput } from './children.ts'
import { ChildHistory } from './ChildHistory.tsx'
import { Confirm } from './Confirm.tsx'
import { Conflict } from './Conflict.tsx'
import classes from './Editor.module.css'
import { EditorFrame } from './EditorFrame.tsx'
import { segmentsWords } from './messages.ts'
import { SizeNote } from './SizeNote.tsx'
import { useChildEditor } from './useChildEditor.ts'
import { useVersions } from './useVersions.ts'
import { useMay } from '../../wire/useMay.ts'
import { RoleNote } from '../../ui/RoleNote.tsx'

export interface ChildEditorProps {
  input: SegmentInput
  keyId: string
  workspace: string
  /** Its document, whose state decides whether a platform takes an edit. */
  record: DocumentRecord | null
  /** Null for one that is to be made; `number` is its place among its siblings. */
  chunk: ChildChunkRecord | null
  number: number
  canDelete: boolean
  onClose: () => void
  onSaved: (chunk: ChildChunkRecord) => void
}

/** Writes a child chunk (operations 9 and 10): the difference before it is saved, and every version after. */
export function ChildEditor(props: ChildEditorProps) {
  const { input, keyId, workspace, record, chunk, number, canDelete, onClose, onSaved } = props
  const t = useWords(segmentsWords)
  const history = useVersions(chunk?.id, workspace)
  const known = history.versions.map(({ content }) => content)
  const editor = useChildEditor({ input, keyId, workspace, chunk, known, onSaved })
  const remove = useWrite(contract.adjacent.deleteChildChunk)
  const may = useMay()(contract.segments.updateChildChunk)
  const { draft, isChanged, conflict } = editor
  const isEmpty = draft.content.trim() === ''
  const canSave = may && isChanged && !isEmpty && !conflict && !editor.isSaving
  const waiting = useWhenAvailable(record, editor.save)
  useHotkeys([['mod+Enter', () => canSave && waiting.send()]], [])
  const title = chunk ? t('child', { number }) : t('newChild')
  return (
    <EditorFrame
      title={title}
      state={isChanged ? 'not saved' : (chunk?.status ?? null)}
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
      foot={
        chunk ? (
          <ChildHistory
            {...history}
            current={chunk.content ?? ''}
            onRestore={may ? ({ content }) => editor.change({ content }) : null}
          />
        ) : null
      }
    >
      <Textarea
        label="content"
        value={draft.content}
        rows={7}
        readOnly={!may}
        resize="vertical"
        maxLength={100_000}
        error={isChanged && isEmpty ? t('emptyChild') : undefined}
        onChange={(event) => editor.change({ content: event.currentTarget.value })}
      />
      <SizeNote text={draft.content} before={draft.base} />
      {isChanged && !conflict ? (
        <section aria-label={t('beforeSaving')}>
          <h3>{t('beforeSaving')}</h3>
          <TextDiff before={draft.base} after={draft.content} />
          <p className={classes.note}>{t('parentStays')}</p>
        </section>
      ) : null}
      {conflict ? (
        <Conflict draft={draft} conflict={conflict} onSettle={editor.settle} onTheirs={editor.discard} />
      ) : null}
      {editor.problem ? <ProblemNote problem={editor.problem} what={t('saveWhat')} isAtForm /> : null}
      {editor.isGone ? (
        <p className={classes.gone} role="alert">
          {t('childGone')}
        </p>
      ) : null}
      {may ? (
        <>
          <TextInput
            label={t('why')}
            description={t('whyText')}
            value={draft.note}
            maxLength={500}
            onChange={(event) => editor.change({ note: event.currentTarget.value })}
          />
          <SendWhenAvailable
            waiting={waiting}
            record={record}
            label={t(chunk ? 'saveChild' : 'createChild')}
            isPending={editor.isSaving}
            isDisabled={!canSave}
            className={classes.buttons}
          >
            <Button variant="default" disabled={!isChanged && draft.note === ''} onClick={editor.discard}>
              {t('discard')}
            </Button>
            {chunk && canDelete ? (
              <Confirm
                title={t('deleteChildTitle', { number })}
                what={t('deleteChildText')}
                deed={t('deleteChild')}
                icon={<IconTrash size={14} />}
                onConfirm={() =>
                  remove.mutate({ key: keyId, params: { ...input, child_chunk_id: chunk.id } }, { onSuccess: onClose })
                }
              />
            ) : null}
          </SendWhenAvailable>
        </>
      ) : (
        <RoleNote entry={contract.segments.updateChildChunk} />
      )}
      {remove.error ? <ProblemNote problem={remove.error.problem} what={t('deleteChildWhat')} /> : null}
    </EditorFrame>
  )
}
