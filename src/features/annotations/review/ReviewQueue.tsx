import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { type ReviewReason, reviewEndpoints } from '#contract/console/review.ts'
import { savedItemEndpoints } from '#contract/console/savedItems.ts'
import { annotationEndpoints } from '#contract/platform/annotations.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { EmptyState } from '../../../components/layout/EmptyState.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { SkeletonRows } from '../../../components/layout/SkeletonRows.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useRead, useWrite } from '../../../client/query.ts'
import classes from '../Annotations.module.css'
import { annotationMessages } from '../messages.ts'
import { ReviewTurn } from './ReviewTurn.tsx'
import { usePermission } from '../../../client/usePermission.ts'

export interface ReviewQueueProps {
  workspace: string
  app: Key
  /** Undefined for all. */
  reason: ReviewReason | undefined
  /** The choice of what is reviewed, before the state of the queue. */
  picker: ReactNode
}

/** Turns to review, one after another. A review mark is stored for everybody; a skip lasts until the page closes. */
export function ReviewQueue({ workspace, app, reason, picker }: ReviewQueueProps) {
  const t = useMessages(annotationMessages)
  const { data, error, refetch } = useRead(reviewEndpoints.listReview, {
    query: { key: app.id, reason, limit: 100 },
  })
  const can = usePermission()
  const [skippedIds, setSkippedIds] = useState<readonly string[]>([])
  const markReviewed = useWrite(savedItemEndpoints.createSavedItem)
  const unmarkReviewed = useWrite(savedItemEndpoints.deleteSavedItem)
  const done = markReviewed.data && markReviewed.variables.body.about
  const pendingTurns = data?.data.filter(({ run }) => !skippedIds.includes(run.id) && run.id !== done) ?? []
  const [current] = pendingTurns
  const problem = markReviewed.error?.problem ?? unmarkReviewed.error?.problem
  return (
    <div className={classes.review}>
      <div className={classes.tools}>
        {picker}
        {data ? (
          <span className={classes.note}>
            {t('reviewLeft', { left: pendingTurns.length, total: data.total, looked: data.looked })}
          </span>
        ) : null}
        {markReviewed.isSuccess ? (
          <span className={classes.marked} role="status">
            {t('marked')}{' '}
            <Button
              size="compact-xs"
              variant="subtle"
              onClick={() =>
                unmarkReviewed.mutate(
                  { params: { saved_item_id: markReviewed.data.id } },
                  { onSuccess: () => markReviewed.reset() },
                )
              }
            >
              {t('undo')}
            </Button>
          </span>
        ) : null}
      </div>
      {error ? <ProblemAlert problem={error.problem} action={t('reviewWhat')} onRetry={() => void refetch()} /> : null}
      {problem ? <ProblemAlert problem={problem} action={t('markWhat')} /> : null}
      {!data && !error ? <SkeletonRows rows={5} height={60} /> : null}
      {current ? (
        <ReviewTurn
          key={current.run.id}
          workspace={workspace}
          app={app}
          item={current}
          canAnnotate={can(annotationEndpoints.create)}
          onMarkReviewed={
            can(savedItemEndpoints.createSavedItem)
              ? () =>
                  markReviewed.mutate({
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
          isMarking={markReviewed.isPending}
          onSkip={() => setSkippedIds([...skippedIds, current.run.id])}
          onBack={skippedIds.length > 0 ? () => setSkippedIds(skippedIds.slice(0, -1)) : null}
          onAnnotated={() => void refetch()}
        />
      ) : data && skippedIds.length > 0 ? (
        <EmptyState
          title={t('reviewSkipped')}
          actions={<Button onClick={() => setSkippedIds([])}>{t('startOver')}</Button>}
        >
          {t('reviewSkippedText', { n: skippedIds.length })}
        </EmptyState>
      ) : data ? (
        <EmptyState title={t('reviewEmpty')}>{t('reviewEmptyText', { looked: data.looked })}</EmptyState>
      ) : null}
    </div>
  )
}
