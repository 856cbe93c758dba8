import { Button, NumberInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { type Retention, retentionEndpoints } from '#contract/console/retention.ts'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { useWrite } from '../../client/query.ts'
import classes from './Ledger.module.css'
import { ledgerMessages } from './messages.ts'

/** The rules by which the server removes calls by itself and refuses files. An empty field is no limit. */
export function RetentionRules({ retention }: { retention: Retention }) {
  const t = useMessages(ledgerMessages)
  const write = useWrite(retentionEndpoints.updateRetention)
  const [days, setDays] = useState<string | number>(retention.keep_days ?? '')
  const [megabytes, setMegabytes] = useState<string | number>(retention.keep_megabytes ?? '')
  const [fileMegabytes, setFileMegabytes] = useState<string | number>(retention.keep_file_megabytes)
  const given = (value: string | number) => (value === '' ? null : Number(value))
  const changed =
    given(days) !== retention.keep_days ||
    given(megabytes) !== retention.keep_megabytes ||
    given(fileMegabytes) !== retention.keep_file_megabytes
  const save = () =>
    write.mutate({
      params: { workspace_id: retention.workspace },
      body: {
        keep_days: given(days),
        keep_megabytes: given(megabytes),
        keep_file_megabytes: Number(fileMegabytes),
      },
    })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save()
  }
  return (
    <form aria-label={t('rules')} onSubmit={submit}>
      <h2>{t('rules')}</h2>
      <div className={classes.row}>
        <NumberInput
          label={t('days')}
          placeholder={t('unlimited')}
          min={1}
          max={3650}
          allowDecimal={false}
          value={days}
          onChange={setDays}
        />
        <NumberInput
          label={t('megabytes')}
          placeholder={t('unlimited')}
          min={1}
          max={1_000_000}
          allowDecimal={false}
          value={megabytes}
          onChange={setMegabytes}
        />
        <NumberInput
          label={t('fileMegabytes')}
          min={0}
          max={1_000_000}
          allowDecimal={false}
          value={fileMegabytes}
          onChange={setFileMegabytes}
        />
        <Button type="submit" disabled={!changed || fileMegabytes === ''} loading={write.isPending}>
          {t('save')}
        </Button>
      </div>
      {write.error ? <ProblemAlert problem={write.error.problem} action={t('saveWhat')} onRetry={save} /> : null}
    </form>
  )
}
