import { type ReactNode, useState } from 'react'
import { getRequiredAccess } from '#contract/permissions.ts'
import { annotationEndpoints } from '#contract/platform/annotations.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { usePermission } from '../../../client/usePermission.ts'
import { LoadMore } from '../../../components/data/LoadMore.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { EmptyState } from '../../../components/layout/EmptyState.tsx'
import { PermissionNote } from '../../../components/layout/PermissionNote.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { SkeletonRows } from '../../../components/layout/SkeletonRows.tsx'
import classes from '../Annotations.module.css'
import { annotationMessages } from '../messages.ts'
import { MessageAnnotation, RunAnnotation } from './RatingAnnotation.tsx'
import { RatingRow } from './RatingRow.tsx'
import type { RatedMessage } from './mergeRatings.ts'
import { usePlatformRatings } from './usePlatformRatings.ts'

/** The messages that were rated at the platform or through this console, newest first. */
export function PlatformRatings({ workspace, app, picker }: { workspace: string; app: Key; picker: ReactNode }) {
  const t = useMessages(annotationMessages)
  const can = usePermission()
  const canAnnotate = can(annotationEndpoints.create)
  const [annotated, setAnnotated] = useState<RatedMessage | null>(null)
  const { messages, problem, hasMore, isLoadingMore, loadMore, retry } = usePlatformRatings(app)
  const close = () => setAnnotated(null)
  return (
    <div className={classes.review}>
      <div className={classes.tools}>
        {picker}
        {messages && messages.length > 0 ? (
          <span className={classes.note}>{t('ratingsLoaded', { n: messages.length })}</span>
        ) : null}
      </div>
      {!messages && !problem ? <SkeletonRows rows={5} height={60} /> : null}
      {!messages && problem ? <ProblemAlert problem={problem} action={t('ratingsWhat')} onRetry={retry} /> : null}
      {messages?.length === 0 && !hasMore ? (
        <EmptyState title={t('ratingsEmpty')}>{t('ratingsEmptyText')}</EmptyState>
      ) : null}
      {messages && !canAnnotate ? <PermissionNote {...getRequiredAccess(annotationEndpoints.create)} /> : null}
      {messages && messages.length > 0 ? (
        <ul className={classes.ratings} aria-label={t('reasons.ratings')}>
          {messages.map((message) => (
            <RatingRow
              key={message.ratings[0]?.id}
              workspace={workspace}
              app={app}
              message={message}
              onAnnotate={canAnnotate ? () => setAnnotated(message) : null}
            />
          ))}
        </ul>
      ) : null}
      {messages ? (
        <LoadMore
          hasMore={hasMore}
          isBusy={isLoadingMore}
          onLoadMore={loadMore}
          problem={problem}
          action={t('ratingsWhat')}
        />
      ) : null}
      {annotated?.run ? (
        <RunAnnotation run_id={annotated.run.id} workspace={workspace} app={app} onClose={close} />
      ) : annotated ? (
        <MessageAnnotation message={annotated} app={app} onClose={close} />
      ) : null}
    </div>
  )
}
