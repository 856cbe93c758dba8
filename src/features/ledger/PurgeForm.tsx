import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { retentionEndpoints } from '#contract/console/retention.ts'
import { callEndpoints } from '#contract/console/calls.ts'
import type { Workspace } from '#contract/console/workspaces.ts'
import { formatDateTime, parseDateTime } from '#domain/dateFormat.ts'
import { DeleteDialog } from '../../components/overlays/DeleteDialog.tsx'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { useRead, useWrite } from '../../client/query.ts'
import classes from './Ledger.module.css'
import { ledgerMessages } from './messages.ts'

/** Deletes calls now, after a confirmation. No date is proposed: every proposal would delete something. */
export function PurgeForm({ workspace }: { workspace: Workspace }) {
  const t = useMessages(ledgerMessages)
  const purgeCalls = useWrite(retentionEndpoints.purgeCalls)
  const [text, setText] = useState('')
  const [isConfirming, setConfirming] = useState(false)
  const before = parseDateTime(text)
  // The count is that of the first page: up to a limit, beyond which it says so.
  const count = useRead(
    callEndpoints.listCalls,
    { query: { workspace: workspace.id, to: before?.toISOString(), limit: 1 } },
    { enabled: before !== null },
  )
  const found = before !== null && !count.isPlaceholderData ? count.data : undefined
  const number = found?.total ?? 0
  const describeCount = () =>
    found === undefined ? null : t(found.total_capped ? 'purgeCountCapped' : 'purgeCount', { n: number })
  const purge = (moment: Date) =>
    purgeCalls.mutate(
      { params: { workspace_id: workspace.id }, body: { before: moment.toISOString() } },
      {
        onSuccess: () => {
          setConfirming(false)
          setText('')
        },
      },
    )
  return (
    <section aria-label={t('purge')}>
      <h2>{t('purge')}</h2>
      <p>{t('purgeText')}</p>
      <div className={classes.row}>
        <TextInput
          label={t('purgeBefore')}
          placeholder={t('purgeExample')}
          value={text}
          autoComplete="off"
          error={text.trim() !== '' && before === null ? t('purgeNoDate') : undefined}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button variant="default" onClick={() => setText(formatDateTime(new Date(Date.now() + 60_000)))}>
          {t('purgeAll')}
        </Button>
        <Button variant="default" disabled={before === null || number === 0} onClick={() => setConfirming(true)}>
          {t('purge')}
        </Button>
      </div>
      <p role="status">{describeCount()}</p>
      {isConfirming && before ? (
        <DeleteDialog
          title={t('purgeConfirm', { workspace: workspace.name, moment: formatDateTime(before) })}
          lost={[describeCount(), t('deletedData')]}
          kept={[t('retainedData'), t('atPlatform')]}
          confirmLabel={t('purgeDo')}
          cancelLabel={t('cancel')}
          isPending={purgeCalls.isPending}
          problem={purgeCalls.error?.problem}
          action={t('purgeWhat')}
          onDelete={() => purge(before)}
          onClose={() => setConfirming(false)}
        />
      ) : null}
    </section>
  )
}
