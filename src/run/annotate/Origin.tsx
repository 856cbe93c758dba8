import { Link } from 'react-router'
import { contract } from '#contract/index.ts'
import { paths } from '../../paths.ts'
import { Since } from '../../ui/Since.tsx'
import { useWords } from '../../ui/words.ts'
import { useRead } from '../../wire/query.ts'
import classes from './Annotate.module.css'
import { annotateWords } from './messages.ts'

/** The run that an annotation is made from, and whether one was made from it before. */
export function Origin({ run_id, workspace }: { run_id: string; workspace: string }) {
  const t = useWords(annotateWords)
  const { data } = useRead(contract.console.listCalls, {
    query: { thing: run_id, entry: 'annotations.create', status: 'succeeded', limit: 20 },
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
                since: () => <Since at={last.created_at} ago />,
              }),
          })}
        </>
      ) : null}
    </p>
  )
}
