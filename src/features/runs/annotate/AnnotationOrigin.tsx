import { Link } from 'react-router'
import { callEndpoints } from '#contract/console/calls.ts'
import { paths } from '#domain/paths.ts'
import { RelativeTime } from '../../../components/data/RelativeTime.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useRead } from '../../../client/query.ts'
import classes from './Annotate.module.css'
import { annotateMessages } from './messages.ts'

/** The source run of an annotation, and whether it already has one. */
export function AnnotationOrigin({ run_id, workspace }: { run_id: string; workspace: string }) {
  const t = useMessages(annotateMessages)
  const { data } = useRead(callEndpoints.listCalls, {
    query: { resource: run_id, entry: 'annotations.create', status: 'succeeded', limit: 20 },
  })
  const [last] = data?.data ?? []
  return (
    <p className={classes.note}>
      {t.rich('fromRun', {
        id: run_id.slice(0, 8),
        run: (words) => <Link to={paths.run(run_id, { workspace })}>{words}</Link>,
      })}
      {last ? (
        <>
          {' '}
          {t.rich('earlier', {
            n: data?.data.length ?? 0,
            who: () =>
              t.rich('by', {
                person: last.person ?? t('nobody'),
                since: () => <RelativeTime at={last.created_at} />,
              }),
          })}
        </>
      ) : null}
    </p>
  )
}
