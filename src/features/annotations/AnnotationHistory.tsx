import { Link } from 'react-router'
import { callEndpoints } from '#contract/console/calls.ts'
import { asRecord } from '#domain/stream/untrustedJson.ts'
import { paths } from '#domain/paths.ts'
import { LoadMore } from '../../components/data/LoadMore.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { RelativeTime } from '../../components/data/RelativeTime.tsx'
import { StatusBadge } from '../../components/data/StatusBadge.tsx'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { useCursorPages } from '../../client/cursorReads.ts'
import classes from './Annotations.module.css'
import { annotationMessages } from './messages.ts'
import { truncateText } from '#contract/truncatedText.ts'

const ACTION_BY_ENTRY = {
  'annotations.create': 'create',
  'adjacent.updateAnnotation': 'update',
  'adjacent.deleteAnnotation': 'delete',
} as const

/** Every call that created or changed an annotation through this console: person, time, content and source run. */
export function AnnotationHistory({ annotation_id, workspace }: { annotation_id: string; workspace: string }) {
  const t = useMessages(annotationMessages)
  const read = useCursorPages(callEndpoints.listCalls, {
    query: {
      resource: annotation_id,
      entry: Object.keys(ACTION_BY_ENTRY).join(','),
      include_bodies: 'true',
      limit: 50,
    },
  })
  const { error, isFetchNextPageError } = read
  const calls = read.data?.pages.flatMap(({ data }) => data)
  return (
    <section className={classes.history} aria-label={t('history')}>
      <h3>{t('history')}</h3>
      {error && !isFetchNextPageError ? (
        <ProblemAlert problem={error.problem} action={t('historyWhat')} onRetry={() => void read.refetch()} />
      ) : null}
      {calls?.length === 0 && !read.hasNextPage ? <p className={classes.note}>{t('noHistory')}</p> : null}
      <ol>
        {calls?.map((call) => {
          const action = ACTION_BY_ENTRY[call.entry as keyof typeof ACTION_BY_ENTRY]
          const answer = asRecord(call.request)?.['answer']
          return (
            <li key={call.id}>
              <div>
                {call.status === 'succeeded' ? null : <StatusBadge status={call.status} />}
                <b>{action ? t(`calls.${action}`) : call.entry}</b> {call.person ?? t('nobody')}{' '}
                <RelativeTime at={call.created_at} />{' '}
                {call.parent
                  ? t.rich('fromRun', {
                      id: call.parent.slice(0, 8),
                      run: (words) => <Link to={paths.run(call.parent ?? '', { workspace })}>{words}</Link>,
                    })
                  : null}
              </div>
              {typeof answer === 'string' ? (
                <p className={classes.words} dir="auto">
                  {truncateText(answer, 600)}
                </p>
              ) : null}
            </li>
          )
        })}
      </ol>
      <LoadMore
        hasMore={read.hasNextPage}
        isBusy={read.isFetchingNextPage}
        onLoadMore={() => void read.fetchNextPage()}
        problem={isFetchNextPageError ? (error?.problem ?? null) : null}
        action={t('historyWhat')}
      />
    </section>
  )
}
