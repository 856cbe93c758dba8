import type { Call } from '#contract/calls.ts'
import { isForm } from '#contract/endpoint.ts'
import { platformEntries } from '#contract/entries.ts'
import { isLive } from '#contract/runs.ts'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { RawJson } from '../../ui/RawJson.tsx'
import { useWords } from '../../ui/words.ts'
import classes from './Ledger.module.css'
import { ledgerWords } from './messages.ts'

/** What was sent, and what came of it. */
export function CallParts({ call }: { call: Call }) {
  const t = useWords(ledgerWords)
  const { request, reply, problem, status } = call
  const isFile = isForm(platformEntries.get(call.entry)?.body)
  return (
    <div className={classes.parts} tabIndex={0} role="region" aria-label={t('call')}>
      {problem ? <ProblemNote problem={problem} what={t('callWhat', { entry: call.entry })} /> : null}
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
          <p className={classes.note}>{t(isLive(status) ? 'noReplyYet' : 'noReply')}</p>
        ) : (
          <RawJson value={reply} label={t('reply')} />
        )}
      </section>
    </div>
  )
}
