import { Button, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { TextDiff } from '../../../../components/data/textDiff/TextDiff.tsx'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import { segmentMessages } from '../messages.ts'
import type { FieldVersions } from './editConflict.ts'
import type { useTextDraft } from './useTextDraft.ts'

interface TextConflictProps {
  edit: Pick<ReturnType<typeof useTextDraft>, 'draft' | 'conflict' | 'resolveConflict' | 'discard'>
}

/** A merge conflict: both edits of a text, and the merged text if they do not overlap. */
export function TextConflict({ edit: { draft, conflict, resolveConflict, discard } }: TextConflictProps) {
  const t = useMessages(segmentMessages)
  if (!conflict) return null
  const { theirs, merged } = conflict
  return (
    <ConflictBox title={t('conflict')}>
      <VersionDiff title={t('theirVersion')} before={draft.base} after={theirs} />
      <VersionDiff title={t('ownVersion')} before={draft.base} after={draft.content} />
      {merged === null ? (
        <Text fz="sm" c="dimmed">
          {t('noMerge')}
        </Text>
      ) : (
        <VersionDiff title={t('both')} before={theirs} after={merged} />
      )}
      <Group gap="sm">
        {merged === null ? null : <Button onClick={() => resolveConflict(merged, theirs)}>{t('takeBoth')}</Button>}
        <Button variant="default" onClick={discard}>
          {t('takeTheirs')}
        </Button>
        <Button variant="default" onClick={() => resolveConflict(draft.content, theirs)}>
          {t('takeMine')}
        </Button>
      </Group>
    </ConflictBox>
  )
}

interface FieldConflictProps extends FieldVersions {
  name: string
  onResolve: (value: string) => void
}

/** A field that two people have changed: both changes, and the choice between them. */
export function FieldConflict({ name, base, mine, theirs, onResolve }: FieldConflictProps) {
  const t = useMessages(segmentMessages)
  return (
    <ConflictBox title={t('sideConflict', { name })}>
      <VersionDiff title={t('theirVersion')} before={base} after={theirs} />
      <VersionDiff title={t('ownVersion')} before={base} after={mine} />
      <Group gap="sm">
        <Button variant="default" onClick={() => onResolve(theirs)}>
          {t('takeTheirs')}
        </Button>
        <Button variant="default" onClick={() => onResolve(mine)}>
          {t('takeMine')}
        </Button>
      </Group>
    </ConflictBox>
  )
}

function ConflictBox({ title, children }: { title: string; children: ReactNode }) {
  const t = useMessages(segmentMessages)
  return (
    <Stack
      component="section"
      role="alert"
      aria-label={title}
      gap="sm"
      p="md"
      bd="1px solid var(--interrupted-solid)"
      bdrs="lg"
    >
      <Text component="h3" fz={13} fw={600}>
        {title}
      </Text>
      <Text fz="sm" c="dimmed">
        {t('conflictText')}
      </Text>
      {children}
    </Stack>
  )
}

function VersionDiff({ title, before, after }: { title: string; before: string; after: string }) {
  return (
    <>
      <Text component="h4" fz="sm" fw={600}>
        {title}
      </Text>
      <TextDiff before={before} after={after} />
    </>
  )
}
