import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Workspace } from '#contract/console/consoleEndpoints.ts'
import { contract } from '#contract/index.ts'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { useWrite } from '../../client/query.ts'
import classes from './Ledger.module.css'
import { ledgerMessages } from './messages.ts'

/** Deletes calls now, after a confirmation. */
export function PurgeForm({ workspace }: { workspace: Workspace }) {
  const t = useMessages(ledgerMessages)
  const purgeCalls = useWrite(contract.console.purgeCalls)
  const [before, setBefore] = useState(() => toLocalDateTime(new Date()))
  const [isConfirming, setConfirming] = useState(false)
  const beforeDate = new Date(before)
  const purge = () =>
    purgeCalls.mutate(
      { params: { workspace_id: workspace.id }, body: { before: beforeDate.toISOString() } },
      { onSuccess: () => setConfirming(false) },
    )
  return (
    <section aria-label={t('purge')}>
      <h2>{t('purge')}</h2>
      <p>{t('purgeText')}</p>
      {isConfirming ? (
        <div role="group" aria-label={t('purge')}>
          <p>{t('purgeConfirm', { workspace: workspace.name, moment: beforeDate.toLocaleString() })}</p>
          {purgeCalls.error ? (
            <ProblemAlert problem={purgeCalls.error.problem} action={t('purgeWhat')} onRetry={purge} />
          ) : null}
          <div className={classes.row}>
            <Button variant="default" data-autofocus autoFocus onClick={() => setConfirming(false)}>
              {t('cancel')}
            </Button>
            <Button color="red" loading={purgeCalls.isPending} onClick={purge}>
              {t('purgeDo')}
            </Button>
          </div>
        </div>
      ) : (
        <div className={classes.row}>
          <TextInput
            type="datetime-local"
            step={1}
            label={t('purgeBefore')}
            value={before}
            onChange={(event) => setBefore(event.currentTarget.value)}
          />
          <Button variant="default" disabled={Number.isNaN(beforeDate.getTime())} onClick={() => setConfirming(true)}>
            {t('purge')}
          </Button>
        </div>
      )}
    </section>
  )
}

/** A moment as the field for one has it, in the browser's own zone; a second on, so that what has just ended is before it. */
const toLocalDateTime = (moment: Date): string =>
  new Date(moment.getTime() + 1000 - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 19)
