import { Link } from 'react-router'
import { contract } from '#contract/index.ts'
import { paths } from '../../paths.ts'
import { Page } from '../../ui/Page.tsx'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { Since } from '../../ui/Since.tsx'
import { SkeletonRows } from '../../ui/SkeletonRows.tsx'
import { useWords } from '../../ui/words.ts'
import { useRead } from '../../wire/query.ts'
import { useWorkspace } from '../../wire/useWorkspace.ts'
import classes from './Ledger.module.css'
import { ledgerWords } from './messages.ts'
import { Purge } from './Purge.tsx'
import { RetentionRules } from './RetentionRules.tsx'
import { useMay } from '../../wire/useMay.ts'

/** Milliseconds between looks while calls are being removed, and else. */
const POLL_PURGING = 1_000
const POLL = 15_000

/** `/ledger/retention`: what of a workspace's calls is kept, what removes them, and removing them now. */
export function RetentionPage() {
  const t = useWords(ledgerWords)
  const { workspace } = useWorkspace()
  const isAdmin = useMay()(contract.console.updateRetention)
  const { data, error, refetch } = useRead(
    contract.console.readRetention,
    { params: { workspace_id: workspace?.id ?? '' } },
    { enabled: Boolean(workspace), poll: (reply) => (reply?.purge_before ? POLL_PURGING : POLL) },
  )
  const kept = data?.workspace === workspace?.id ? data : undefined
  return (
    <Page
      title={workspace ? t('retentionTitle', { workspace: workspace.name }) : t('retention')}
      crumbs={
        <>
          <Link to={paths.ledger({ workspace: workspace?.id })}>{t('title')}</Link>
          <span>/</span>
        </>
      }
    >
      <title>{`${t('retention')} · Loupe`}</title>
      <div className={classes.settings}>
        {error ? (
          <ProblemNote problem={error.problem} what={t('readRetention')} onRetry={() => void refetch()} />
        ) : null}
        {!kept && !error ? <SkeletonRows rows={4} height={60} /> : null}
        {workspace && kept ? (
          <>
            <section aria-label={t('kept')}>
              <h2>{t('kept')}</h2>
              <p>
                {kept.counted_at === null
                  ? t('notCounted')
                  : t.rich(kept.calls ? 'counted' : 'countedNone', {
                      calls: kept.calls ?? 0,
                      size: ((kept.bytes ?? 0) / 1_000_000).toFixed(1),
                      oldest: kept.oldest ? new Date(kept.oldest).toLocaleDateString() : '',
                      since: () => <Since at={kept.counted_at ?? ''} ago />,
                    })}
              </p>
              <ul>
                {kept.keep_days === null && kept.keep_megabytes === null ? <li>{t('keepsAll')}</li> : null}
                {kept.keep_days === null ? null : <li>{t('keepsDays', { days: kept.keep_days })}</li>}
                {kept.keep_megabytes === null ? null : (
                  <li>{t('keepsMegabytes', { megabytes: kept.keep_megabytes.toLocaleString('en') })}</li>
                )}
                <li>{t('goes')}</li>
                <li>{t('stays')}</li>
                <li>{t('atPlatform')}</li>
                {kept.removed_at ? (
                  <li>
                    {t.rich('removed', {
                      count: kept.removed,
                      since: () => <Since at={kept.removed_at ?? ''} ago />,
                    })}
                  </li>
                ) : null}
              </ul>
            </section>
            {kept.purge_before ? (
              <p role="status">{t('purging', { moment: new Date(kept.purge_before).toLocaleString() })}</p>
            ) : null}
            {isAdmin ? (
              <>
                <RetentionRules key={`${kept.keep_days} ${kept.keep_megabytes}`} kept={kept} />
                <Purge workspace={workspace} />
              </>
            ) : (
              <p>{t('adminOnly')}</p>
            )}
          </>
        ) : null}
      </div>
    </Page>
  )
}
