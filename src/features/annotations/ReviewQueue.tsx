import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Key } from '#contract/console.ts'
import { contract } from '#contract/index.ts'
import { REVIEW_REASONS } from '#contract/review.ts'
import { SegmentedControl } from '../../ui/SegmentedControl.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { SkeletonRows } from '../../ui/SkeletonRows.tsx'
import { useListState } from '../../ui/useListState.ts'
import { useWords } from '../../ui/words.ts'
import { useRead, useWrite } from '../../wire/query.ts'
import classes from './Annotations.module.css'
import { annotationsWords } from './messages.ts'
import { ReviewTurn } from './ReviewTurn.tsx'
import { useMay } from '../../wire/useMay.ts'

/** Turns that somebody should look at, one after another. A mark is kept for everybody; a skip only until the page is left. */
export function ReviewQueue({ workspace, app }: { workspace: string; app: Key }) {
  const t = useWords(annotationsWords)
  const { get, set } = useListState()
  const reason = REVIEW_REASONS.find((one) => one === get('reason'))
  const { data, error, refetch } = useRead(contract.console.listReview, {
    query: { key: app.id, reason, limit: 100 },
  })
  const may = useMay()
  const [skipped, setSkipped] = useState<readonly string[]>([])
  const mark = useWrite(contract.console.createKept)
  const unmark = useWrite(contract.console.deleteKept)
  const done = mark.data && mark.variables.body.about
  const waiting = data?.data.filter(({ run }) => !skipped.includes(run.id) && run.id !== done) ?? []
  const [current] = waiting
  const problem = mark.error?.problem ?? unmark.error?.problem
  return (
    <div className={classes.review}>
      <div className={classes.tools}>
        <SegmentedControl
          size="xs"
          aria-label={t('reason')}
          value={reason ?? 'all'}
          onChange={(value) => set({ reason: value === 'all' ? null : value }, { replace: true })}
          data={(['all', ...REVIEW_REASONS] as const).map((value) => ({ value, label: t(`reasons.${value}`) }))}
        />
        {data ? (
          <span className={classes.note}>
            {t('reviewLeft', { left: waiting.length, total: data.total, looked: data.looked })}
          </span>
        ) : null}
        {mark.isSuccess ? (
          <span className={classes.marked} role="status">
            {t('marked')}{' '}
            <Button
              size="compact-xs"
              variant="subtle"
              onClick={() => unmark.mutate({ params: { kept_id: mark.data.id } }, { onSuccess: () => mark.reset() })}
            >
              {t('undo')}
            </Button>
          </span>
        ) : null}
      </div>
      {error ? <ProblemNote problem={error.problem} what={t('reviewWhat')} onRetry={() => void refetch()} /> : null}
      {problem ? <ProblemNote problem={problem} what={t('markWhat')} /> : null}
      {!data && !error ? <SkeletonRows rows={5} height={60} /> : null}
      {current ? (
        <ReviewTurn
          key={current.run.id}
          workspace={workspace}
          app={app}
          reviewed={current}
          mayAnnotate={may(contract.annotations.create)}
          onMark={
            may(contract.console.createKept)
              ? () =>
                  mark.mutate({
                    body: {
                      kind: 'mark',
                      workspace,
                      about: current.run.id,
                      name: 'reviewed',
                      value: { reasons: current.reasons },
                    },
                  })
              : null
          }
          isMarking={mark.isPending}
          onSkip={() => setSkipped([...skipped, current.run.id])}
          onBack={skipped.length > 0 ? () => setSkipped(skipped.slice(0, -1)) : null}
          onAnnotated={() => void refetch()}
        />
      ) : data && skipped.length > 0 ? (
        <Empty title={t('reviewSkipped')} actions={<Button onClick={() => setSkipped([])}>{t('startOver')}</Button>}>
          {t('reviewSkippedText', { n: skipped.length })}
        </Empty>
      ) : data ? (
        <Empty title={t('reviewEmpty')}>{t('reviewEmptyText', { looked: data.looked })}</Empty>
      ) : null}
    </div>
  )
}
