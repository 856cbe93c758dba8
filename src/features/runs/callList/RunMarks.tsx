import '@mantine/core/styles/Pill.css'
import '@mantine/core/styles/PillsInput.css'
import { Button, TagsInput, Textarea } from '@mantine/core'
import { useState } from 'react'
import { MAX_RUN_NOTE_CHARS, MAX_RUN_TAGS, type Run } from '#contract/console/runs.ts'
import { callEndpoints } from '#contract/console/calls.ts'
import { useRead, useWrite } from '../../../client/query.ts'
import { usePermission } from '../../../client/usePermission.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import classes from './CallList.module.css'
import { callListMessages } from './messages.ts'
import { OriginChip } from './OriginChip.tsx'
import { RatingMark } from './RatingMark.tsx'

/** Where a run was started, the rating of its answer, and its tags and note, to be changed by those who may run something. */
export function RunMarks({ run }: { run: Run }) {
  const t = useMessages(callListMessages)
  const canEdit = usePermission()(callEndpoints.updateRun)
  const [isEditing, setEditing] = useState(false)
  const tags = run.tags ?? []
  return (
    <section className={classes.marks} aria-label={t('editMarks')}>
      {run.origin ? <OriginChip origin={run.origin} workspace={run.workspace} /> : null}
      {run.rating ? <RatingMark rating={run.rating} /> : null}
      {isEditing ? (
        <RunMarksForm run={run} onClose={() => setEditing(false)} />
      ) : (
        <>
          {tags.map((tag) => (
            <span key={tag} className={classes.tag}>
              {tag}
            </span>
          ))}
          {run.run_note ? <p dir="auto">{run.run_note}</p> : null}
          {canEdit ? (
            <Button size="compact-xs" variant="subtle" onClick={() => setEditing(true)}>
              {t('editMarks')}
            </Button>
          ) : null}
        </>
      )}
    </section>
  )
}

function RunMarksForm({ run, onClose }: { run: Run; onClose: () => void }) {
  const t = useMessages(callListMessages)
  const [tags, setTags] = useState(run.tags ?? [])
  const [note, setNote] = useState(run.run_note ?? '')
  const known = useRead(callEndpoints.listRunTags, { query: { workspace: run.workspace } })
  const write = useWrite(callEndpoints.updateRun, { onDone: onClose })
  return (
    <form
      className={classes.dialog}
      onSubmit={(event) => {
        event.preventDefault()
        write.mutate({ params: { run_id: run.id }, body: { tags, run_note: note } })
      }}
    >
      <TagsInput
        label={t('tags')}
        value={tags}
        onChange={setTags}
        data={known.data?.data.map(({ tag }) => tag) ?? []}
        maxTags={MAX_RUN_TAGS}
        acceptValueOnBlur
      />
      <Textarea
        label={t('note')}
        description={t('noteHint')}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
        maxLength={MAX_RUN_NOTE_CHARS}
        autosize
        minRows={2}
        maxRows={8}
      />
      {write.error ? <ProblemAlert problem={write.error.problem} action={t('noteWhat')} /> : null}
      <div className={classes.buttons}>
        <Button type="submit" loading={write.isPending}>
          {t('save')}
        </Button>
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
      </div>
    </form>
  )
}
