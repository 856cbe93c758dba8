import { Button, Textarea, TextInput, Checkbox } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { ProblemAlert } from '../../../../components/layout/ProblemAlert.tsx'
import { SendWhenAvailable } from '../../indexing/SendWhenAvailable.tsx'
import { TextDiff } from '../../../../components/data/textDiff/TextDiff.tsx'
import { FieldLabel } from '../../../../components/forms/FieldLabel.tsx'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import { TextConflict, FieldConflict } from './EditConflict.tsx'
import fields from '../../../../components/forms/Fields.module.css'
import { ContentField, EditorLayout, EditorSection, ReasonField } from './EditorLayout.tsx'
import { PredictionPanel } from '../../prediction/PredictionPanel.tsx'
import { segmentMessages } from '../messages.ts'
import { ChunkHistory } from './ChunkHistory.tsx'
import { useChunkVersions } from './chunkVersions.ts'
import { SEGMENT_FIELDS, type SegmentEditInput, useSegmentEdit } from './useSegmentEdit.ts'
import { componentMessages } from '../../../../components/i18n/messages.ts'
import { Consequences } from '../../../../components/overlays/DeleteConfirmation.tsx'
import { type SegmentTarget, useChildChunks } from '../useChildChunks.ts'
import { useRegenerationConsequences } from '../useRegenerationConsequences.ts'

export function SegmentEditor(props: Omit<SegmentEditInput, 'knownVersions'>) {
  const { input, keyId, record, segment, hasChildren, workspace, onClose } = props
  const t = useMessages(segmentMessages)
  const history = useChunkVersions('segment', segment.id, workspace)
  const edit = useSegmentEdit({ ...props, knownVersions: history.versions })
  useHotkeys([['mod+Enter', () => edit.canSave && !edit.isSaving && edit.waiting.send()]], [])
  const { draft, change, discard, isChanged, conflict, fieldConflicts, resolveFieldConflict, problem } = edit
  return (
    <EditorLayout
      title={t('editSegment')}
      saveState={isChanged ? 'not saved' : null}
      onClose={onClose}
      footer={
        <ChunkHistory
          {...history}
          current={{ content: segment.content ?? '', answer: segment.answer ?? null }}
          onRestore={({ content, answer }) =>
            change({ content, ...(segment.answer == null || answer === null ? {} : { answer }) })
          }
        />
      }
    >
      <ContentField edit={edit} rows={9} />
      {segment.answer == null ? null : (
        <Textarea
          label={<FieldLabel name="answer" />}
          value={draft.answer}
          rows={5}
          resize="vertical"
          onChange={(event) => change({ answer: event.currentTarget.value })}
        />
      )}
      <TextInput
        label={<FieldLabel name="keywords" />}
        description={t('keywordsText')}
        value={draft.keywords}
        onChange={(event) => change({ keywords: event.currentTarget.value })}
      />
      {hasChildren ? (
        <RegenerateField
          {...props}
          isChecked={draft.regenerate}
          onChange={(isChecked) => change({ regenerate: isChecked })}
        />
      ) : null}
      {draft.content !== draft.base && !conflict ? (
        <EditorSection title={t('beforeSaving')}>
          <TextDiff before={draft.base} after={draft.content} />
        </EditorSection>
      ) : null}
      {edit.predictedEdit && !conflict ? (
        <PredictionPanel dataset_id={input.dataset_id} workspace={workspace} keyId={keyId} edit={edit.predictedEdit} />
      ) : null}
      <TextConflict edit={edit} />
      {SEGMENT_FIELDS.map((name) => {
        const theirs = fieldConflicts[name]
        if (theirs === undefined) return null
        return (
          <FieldConflict
            key={name}
            name={name}
            base={draft.originalFields[name]}
            mine={draft[name]}
            theirs={theirs}
            onResolve={(value) => resolveFieldConflict(name, value, theirs)}
          />
        )
      })}
      {problem ? <ProblemAlert problem={problem} action={t('saveSegmentWhat')} isInForm /> : null}
      {edit.areKeywordsDropped ? <p role="status">{t('keywordsDropped')}</p> : null}
      <ReasonField edit={edit} />
      <SendWhenAvailable
        waiting={edit.waiting}
        record={record}
        label={t('saveSegment')}
        isPending={edit.isSaving}
        isDisabled={!edit.canSave}
        className={fields.inline}
      >
        <Button variant="default" disabled={!isChanged} onClick={discard}>
          {t('discard')}
        </Button>
      </SendWhenAvailable>
    </EditorLayout>
  )
}

interface RegenerateFieldProps {
  input: SegmentTarget
  keyId: string
  isChecked: boolean
  onChange: (isChecked: boolean) => void
}

/** Whether saving a parent replaces its child chunks; if so, which are lost and what is kept. */
function RegenerateField({ input, keyId, isChecked, onChange }: RegenerateFieldProps) {
  const t = useMessages(segmentMessages)
  const common = useMessages(componentMessages)
  const children = useChildChunks(keyId, input, isChecked)
  const { lost, kept } = useRegenerationConsequences(children.data ?? [])
  return (
    <>
      <Checkbox
        label={<FieldLabel name="regenerate_child_chunks" />}
        description={t('regenerateText')}
        checked={isChecked}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      {isChecked && lost.length > 0 ? (
        <div role="status">
          <Consequences heading={common('lostHeading')} items={lost} />
          <Consequences heading={common('keptHeading')} items={kept} />
        </div>
      ) : null}
    </>
  )
}
