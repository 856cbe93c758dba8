import '@mantine/core/styles/Pill.css'
import '@mantine/core/styles/PillsInput.css'
import { Box, Button, Flex, TagsInput, type TagsInputProps, Text, Textarea } from '@mantine/core'
import { IconThumbDown, IconThumbUp } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import {
  MAX_RUN_NOTE_CHARS,
  MAX_RUN_TAGS,
  type Run,
  type RunOrigin,
  type RunOriginKind,
  type RunRating,
} from '#contract/console/runs.ts'
import { callEndpoints } from '#contract/console/calls.ts'
import { formatDateTime } from '#domain/dateFormat.ts'
import { paths } from '#domain/paths.ts'
import { useRead, useWrite } from '../../../client/query.ts'
import { usePermission } from '../../../client/usePermission.ts'
import { InlineForm } from '../../../components/forms/InlineForm.tsx'
import { useContractForm } from '../../../components/forms/useContractForm.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import classes from './CallList.module.css'
import { callListMessages } from './messages.ts'

/** Where a run was started, the rating of its answer, and its tags and note, to be changed by those who may run something. */
export function RunMarks({ run }: { run: Run }) {
  const t = useMessages(callListMessages)
  const canEdit = usePermission()(callEndpoints.updateRun)
  const [isEditing, setEditing] = useState(false)
  const tags = run.tags ?? []
  return (
    <Flex
      component="section"
      wrap="wrap"
      align="center"
      gap="xs"
      px="lg"
      py="xs"
      className={classes.marks}
      aria-label={t('editMarks')}
    >
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
          {run.run_note ? (
            <Text size="sm" c="dimmed" flex="1 0 100%" className={classes.note} dir="auto">
              {run.run_note}
            </Text>
          ) : null}
          {canEdit ? (
            <Button size="compact-xs" variant="subtle" onClick={() => setEditing(true)}>
              {t('editMarks')}
            </Button>
          ) : null}
        </>
      )}
    </Flex>
  )
}

function RunMarksForm({ run, onClose }: { run: Run; onClose: () => void }) {
  const t = useMessages(callListMessages)
  const write = useWrite(callEndpoints.updateRun)
  const form = useContractForm({
    schema: callEndpoints.updateRun.body,
    initialValues: { tags: run.tags ?? [], run_note: run.run_note ?? '' },
    send: (body) => write.mutateAsync({ params: { run_id: run.id }, body }),
    onDone: onClose,
  })
  return (
    <Box flex={1} miw={260} maw={560}>
      <InlineForm form={form} submitLabel={t('save')} action={t('noteWhat')} onCancel={onClose}>
        <RunTagsInput {...form.controlled('tags')} workspace={run.workspace} label={t('tags')} />
        <Textarea
          {...form.field('run_note')}
          label={t('note')}
          description={t('noteHint')}
          maxLength={MAX_RUN_NOTE_CHARS}
          autosize
          minRows={2}
          maxRows={8}
        />
      </InlineForm>
    </Box>
  )
}

/** Tags of runs; those that the workspace has already are offered. */
export function RunTagsInput({ workspace, ...props }: TagsInputProps & { workspace: string }) {
  const known = useRead(callEndpoints.listRunTags, { query: { workspace } })
  return (
    <TagsInput
      {...props}
      data={known.data?.data.map(({ tag }) => tag) ?? []}
      maxTags={MAX_RUN_TAGS}
      acceptValueOnBlur
    />
  )
}

/** The text of each place where runs are started. */
export const ORIGIN_LABELS = {
  chat: 'chat',
  completion: 'completion',
  workflows: 'fromWorkflows',
  replay: 'fromReplay',
  board: 'fromBoard',
  batch: 'fromBatch',
  api: 'fromApi',
  platform: 'fromPlatform',
} as const satisfies Record<RunOriginKind, string>

/** Where a run was started; a batch or a board by its name, as a link. */
export function OriginChip({ origin, workspace }: { origin: RunOrigin; workspace: string }) {
  const t = useMessages(callListMessages)
  const kind = t(ORIGIN_LABELS[origin.kind])
  if (origin.id === null || origin.name === null) return <span className={classes.chip}>{kind}</span>
  const to = origin.kind === 'batch' ? paths.batch(origin.id, { workspace }) : paths.board(origin.id, { workspace })
  return (
    <Link className={classes.chip} to={to} title={t('fromNamed', { kind, name: origin.name })}>
      {kind} <span>{origin.name}</span>
    </Link>
  )
}

/** The rating of an answer; on hover, who gave it and when. */
export function RatingMark({ rating: { rating, person, at } }: { rating: RunRating }) {
  const t = useMessages(callListMessages)
  const Icon = RATING_ICONS[rating]
  return (
    <span
      className={classes.rating}
      title={t('ratedBy', { person: person ?? t('console'), at: formatDateTime(new Date(at)) })}
    >
      <Icon size={14} aria-hidden /> {t(rating)}
    </span>
  )
}

const RATING_ICONS = { like: IconThumbUp, dislike: IconThumbDown } as const
