import { Button, Group, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { retentionEndpoints } from '#contract/console/retention.ts'
import { callEndpoints } from '#contract/console/calls.ts'
import { MAX_END_USER_CHARS } from '#contract/platform/schemas.ts'
import type { Workspace } from '#contract/console/workspaces.ts'
import { formatDateTime, parseDateTime } from '#domain/dateFormat.ts'
import { useDeleteDialog } from '../../components/overlays/useDeleteDialog.ts'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { useRead, useWrite } from '../../client/query.ts'
import { ledgerMessages } from './messages.ts'

const TYPING_DELAY_MS = 300

/** Deletes calls now, or the runs of an end user, after a confirmation. No date is proposed: every proposal would delete something. */
export function PurgeForm({ workspace }: { workspace: Workspace }) {
  const t = useMessages(ledgerMessages)
  const purgeCalls = useWrite(retentionEndpoints.purgeCalls, {
    onDone: () => {
      setText('')
      setEndUser('')
    },
  })
  const openDelete = useDeleteDialog()
  const [text, setText] = useState('')
  const [endUser, setEndUser] = useState('')
  const [countedEndUser] = useDebouncedValue(endUser, TYPING_DELAY_MS)
  const isEndUserTooLong = endUser.length > MAX_END_USER_CHARS
  const moment = parseDateTime(text)
  const before = isEndUserTooLong ? null : moment
  // The count of the first page, up to a limit that is stated.
  const count = useRead(
    callEndpoints.listCalls,
    { query: { workspace: workspace.id, to: before?.toISOString(), user: countedEndUser || undefined, limit: 1 } },
    { enabled: before !== null && countedEndUser === endUser },
  )
  const found = before !== null && countedEndUser === endUser && !count.isPlaceholderData ? count.data : undefined
  const number = found?.total ?? 0
  // The runs of an end user may all be older than what was counted; what could not be counted may be there, too.
  const hasNothing = found !== undefined && number === 0 && !(endUser && found.total_capped)
  const isCounting = found === undefined && count.error === null
  const describeCount = () => {
    if (found === undefined) return null
    if (endUser) return t(found.total_capped ? 'eraseCountCapped' : 'eraseCount', { n: number, user: endUser })
    return t(found.total_capped ? 'purgeCountCapped' : 'purgeCount', { n: number })
  }
  const askPurge = (moment: Date) => {
    const names = { user: endUser, workspace: workspace.name, moment: formatDateTime(moment) }
    openDelete({
      title: t(endUser ? 'eraseConfirm' : 'purgeConfirm', names),
      lost: [describeCount(), t('deletedData'), ...(endUser ? [t('erasedResources')] : [])],
      kept: [t(endUser ? 'retainedEndUser' : 'retainedData'), t('atPlatform')],
      confirmLabel: endUser ? t('eraseDo', { user: endUser }) : t('purgeDo'),
      cancelLabel: t('cancel'),
      action: t(endUser ? 'eraseWhat' : 'purgeWhat'),
      run: () =>
        purgeCalls.mutateAsync({
          params: { workspace_id: workspace.id },
          body: { before: moment.toISOString(), ...(endUser ? { end_user: endUser } : {}) },
        }),
    })
  }
  return (
    <section aria-label={t('purge')}>
      <Text component="h2" mb="xs" fw={600}>
        {t('purge')}
      </Text>
      <p>{t('purgeText')}</p>
      <Group gap="sm" align="end">
        <TextInput
          label={t('purgeBefore')}
          placeholder={t('purgeExample')}
          value={text}
          autoComplete="off"
          error={text.trim() !== '' && moment === null ? t('purgeNoDate') : undefined}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button variant="default" onClick={() => setText(formatDateTime(new Date(Date.now() + 60_000)))}>
          {t('purgeAll')}
        </Button>
      </Group>
      <TextInput
        my={10}
        maw={400}
        label={t('purgeEndUser')}
        description={t('purgeEndUserHelp')}
        value={endUser}
        autoComplete="off"
        spellCheck={false}
        error={isEndUserTooLong ? t('purgeEndUserTooLong', { n: MAX_END_USER_CHARS }) : undefined}
        onChange={(event) => setEndUser(event.currentTarget.value)}
      />
      <p role="status">{describeCount()}</p>
      {before !== null && count.error ? (
        <ProblemAlert problem={count.error.problem} action={t('countWhat')} onRetry={() => void count.refetch()} />
      ) : null}
      <Button
        variant="default"
        disabled={before === null || isCounting || hasNothing}
        onClick={() => before && askPurge(before)}
      >
        {t('purge')}
      </Button>
    </section>
  )
}
