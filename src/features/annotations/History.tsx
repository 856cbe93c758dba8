import { Link } from 'react-router'
import { contract } from '#contract/index.ts'
import { asRecord } from '#contract/untrusted.ts'
import { paths } from '../../paths.ts'
import { More } from '../../ui/More.tsx'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { Since } from '../../ui/Since.tsx'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { useWords } from '../../ui/words.ts'
import { usePages } from '../../wire/query.ts'
import classes from './Annotations.module.css'
import { annotationsWords } from './messages.ts'

const DEEDS = {
  'annotations.create': 'create',
  'adjacent.updateAnnotation': 'update',
  'adjacent.deleteAnnotation': 'delete',
} as const

/** Every call that made or changed an annotation through this console: who, when, its words, and the run it came from. */
export function History({ annotation_id, workspace }: { annotation_id: string; workspace: string }) {
  const t = useWords(annotationsWords)
  const read = usePages(contract.console.listCalls, {
    query: { thing: annotation_id, entry: Object.keys(DEEDS).join(','), whole: 'true', limit: 50 },
  })
  const { error, isFetchNextPageError } = read
  const calls = read.data?.pages.flatMap(({ data }) => data)
  return (
    <section className={classes.history} aria-label={t('history')}>
      <h3>{t('history')}</h3>
      {error && !isFetchNextPageError ? (
        <ProblemNote problem={error.problem} what={t('historyWhat')} onRetry={() => void read.refetch()} />
      ) : null}
      {calls?.length === 0 && !read.hasNextPage ? <p className={classes.note}>{t('noHistory')}</p> : null}
      <ol>
        {calls?.map((call) => {
          const deed = DEEDS[call.entry as keyof typeof DEEDS]
          const answer = asRecord(call.request)?.['answer']
          return (
            <li key={call.id}>
              <div>
                {call.status === 'succeeded' ? null : <StateBadge word={call.status} />}
                <b>{deed ? t(`calls.${deed}`) : call.entry}</b> {call.person ?? t('nobody')}{' '}
                <Since at={call.created_at} />{' '}
                {call.parent
                  ? t.rich('fromRun', {
                      id: call.parent.slice(0, 8),
                      run: (words) => <Link to={paths.run(call.parent ?? '', { workspace })}>{words}</Link>,
                    })
                  : null}
              </div>
              {typeof answer === 'string' ? (
                <p className={classes.words} dir="auto">
                  {answer.slice(0, 600)}
                </p>
              ) : null}
            </li>
          )
        })}
      </ol>
      <More
        isLeft={read.hasNextPage}
        isBusy={read.isFetchingNextPage}
        onMore={() => void read.fetchNextPage()}
        problem={isFetchNextPageError ? (error?.problem ?? null) : null}
        what={t('historyWhat')}
      />
    </section>
  )
}
