import { ActionIcon, Button, Textarea, TextInput } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconTrash, IconX } from '@tabler/icons-react'
import { useTranslations } from 'use-intl'
import { contract } from '#contract/index.ts'
import type { ChildChunkRecord } from '#contract/records.ts'
import { useTokens } from '../../lab/useTokens.ts'
import { IdChip } from '../../ui/IdChip.tsx'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { TextDiff } from '../../ui/TextDiff.tsx'
import { Tooltip } from '../../ui/Tooltip.tsx'
import { useWrite } from '../../wire/query.ts'
import type { SegmentInput } from './children.ts'
import { ChildHistory } from './ChildHistory.tsx'
import { Confirm } from './Confirm.tsx'
import { Conflict } from './Conflict.tsx'
import classes from './Editor.module.css'
import { useChildEditor } from './useChildEditor.ts'
import { useVersions } from './useVersions.ts'

export interface ChildEditorProps {
  input: SegmentInput
  keyId: string
  workspace: string
  /** Null for one that is to be made; `number` is its place among its siblings. */
  chunk: ChildChunkRecord | null
  number: number
  canDelete: boolean
  onClose: () => void
  onSaved: (chunk: ChildChunkRecord) => void
}

/** Writes a child chunk (operations 9 and 10): the difference before it is saved, and every version after. */
export function ChildEditor({ input, keyId, workspace, chunk, number, canDelete, onClose, onSaved }: ChildEditorProps) {
  const t = useTranslations('segments')
  const history = useVersions(chunk?.id, workspace)
  const known = history.versions.map(({ content }) => content)
  const editor = useChildEditor({ input, keyId, workspace, chunk, known, onSaved })
  const remove = useWrite(contract.adjacent.deleteChildChunk)
  const { draft, isChanged, conflict } = editor
  const tokens = useTokens(draft.content)
  const isEmpty = draft.content.trim() === ''
  const canSave = isChanged && !isEmpty && !conflict && !editor.isSaving
  useHotkeys([['mod+Enter', () => canSave && editor.save()]], [])
  const title = chunk ? t('child', { number }) : t('newChild')
  return (
    <div className={classes.editor}>
      <header>
        <div>
          <h2>{title}</h2>
          {chunk ? (
            <span className={classes.facts}>
              {chunk.word_count == null ? null : <span>{t('wordsOf', { n: chunk.word_count })}</span>}
              {chunk.tokens == null ? null : <span>{t('tokensOf', { n: chunk.tokens })}</span>}
              <IdChip id={chunk.id} />
            </span>
          ) : null}
        </div>
        {isChanged ? <StateBadge word="not saved" /> : chunk?.status ? <StateBadge word={chunk.status} /> : null}
        <Tooltip label={t('close')}>
          <ActionIcon aria-label={t('close')} onClick={onClose}>
            <IconX size={16} />
          </ActionIcon>
        </Tooltip>
      </header>
      <div className={classes.fields}>
        <Textarea
          label="content"
          value={draft.content}
          rows={7}
          resize="vertical"
          maxLength={100_000}
          error={isChanged && isEmpty ? t('emptyChild') : undefined}
          onChange={(event) => editor.change({ content: event.currentTarget.value })}
        />
        <p className={classes.note} role="status" aria-live="off">
          {t('size', { characters: [...draft.content].length })}
          {tokens === null ? null : ` ${t('aboutTokens', { tokens })}`}
          {chunk && isChanged ? ` ${t('was', { characters: [...draft.base].length })}` : null}
        </p>
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
        {editor.problem ? <ProblemNote problem={editor.problem} what={t('saveWhat')} /> : null}
        {editor.isGone ? (
          <p className={classes.gone} role="alert">
            {t('childGone')}
          </p>
        ) : null}
        <TextInput
          label={t('why')}
          description={t('whyText')}
          value={draft.note}
          maxLength={500}
          onChange={(event) => editor.change({ note: event.currentTarget.value })}
        />
        <div className={classes.buttons}>
          <Button disabled={!canSave} loading={editor.isSaving} onClick={editor.save}>
            {chunk ? t('saveChild') : t('createChild')}
          </Button>
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
        </div>
        {remove.error ? <ProblemNote problem={remove.error.problem} what={t('deleteChildWhat')} /> : null}
      </div>
      {chunk ? (
        <ChildHistory
          {...history}
          current={chunk.content ?? ''}
          onRestore={({ content }) => editor.change({ content })}
        />
      ) : null}
    </div>
  )
}
