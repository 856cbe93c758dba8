import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Workspace } from '#contract/console.ts'
import { contract } from '#contract/index.ts'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { useWords } from '../../ui/words.ts'
import { useWrite } from '../../wire/query.ts'
import classes from './Ledger.module.css'
import { ledgerWords } from './messages.ts'

/** Removes calls now, after it was asked once more. */
export function Purge({ workspace }: { workspace: Workspace }) {
  const t = useWords(ledgerWords)
  const write = useWrite(contract.console.purgeCalls)
  const [before, setBefore] = useState(() => localOf(new Date()))
  const [asks, setAsks] = useState(false)
  const moment = new Date(before)
  const purge = () =>
    write.mutate(
      { params: { workspace_id: workspace.id }, body: { before: moment.toISOString() } },
      { onSuccess: () => setAsks(false) },
    )
  return (
    <section aria-label={t('purge')}>
      <h2>{t('purge')}</h2>
      <p>{t('purgeText')}</p>
      {asks ? (
        <div role="group" aria-label={t('purge')}>
          <p>{t('purgeAsk', { workspace: workspace.name, moment: moment.toLocaleString() })}</p>
          {write.error ? <ProblemNote problem={write.error.problem} what={t('purgeWhat')} onRetry={purge} /> : null}
          <div className={classes.row}>
            <Button variant="default" data-autofocus autoFocus onClick={() => setAsks(false)}>
              {t('purgeKeep')}
            </Button>
            <Button color="red" loading={write.isPending} onClick={purge}>
              {t('purgeDeed')}
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
          <Button variant="default" disabled={Number.isNaN(moment.getTime())} onClick={() => setAsks(true)}>
            {t('purge')}
          </Button>
        </div>
      )}
    </section>
  )
}

/** A moment as the field for one has it, in the browser's own zone; a second on, so that what has just ended is before it. */
const localOf = (moment: Date): string =>
  new Date(moment.getTime() + 1000 - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 19)
