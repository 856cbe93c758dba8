import type { Call } from '#contract/console/calls.ts'
import { isForm } from '#contract/endpoint.ts'
import { platformEntries } from '#contract/platformEntries.ts'
import { isActiveStatus } from '#contract/console/runs.ts'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { RawJson } from '../../components/data/json/RawJson.tsx'
import { useMessages } from '../../components/i18n/useMessages.ts'
import classes from './Ledger.module.css'
import { ledgerMessages } from './messages.ts'

/** The request and the reply. */
export function CallDetail({ call }: { call: Call }) {
  const t = useMessages(ledgerMessages)
  const { request, reply, problem, status } = call
  const isFile = isForm(platformEntries.get(call.entry)?.body)
  return (
    <div className={classes.parts} tabIndex={0} role="region" aria-label={t('call')}>
      {problem ? <ProblemAlert problem={problem} action={t('callWhat', { entry: call.entry })} /> : null}
      <section aria-label={t('request')}>
        <h3>{t('request')}</h3>
        {request === null || request === undefined ? (
          <p className={classes.note}>{t(isFile ? 'fileNotKept' : 'noBody')}</p>
        ) : (
          <RawJson value={request} label={t('request')} />
        )}
      </section>
      <section aria-label={t('reply')}>
        <h3>{t('reply')}</h3>
        {reply === null || reply === undefined ? (
          <p className={classes.note}>{t(isActiveStatus(status) ? 'noReplyYet' : 'noReply')}</p>
        ) : (
          <RawJson value={reply} label={t('reply')} />
        )}
      </section>
    </div>
  )
}
