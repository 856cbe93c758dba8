import { SegmentedControl } from '@mantine/core'
import { REVIEW_REASONS } from '#contract/console/review.ts'
import { optionalMessageEndpoints } from '#contract/platform/optionalMessages.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { usePermission } from '../../../client/usePermission.ts'
import { useSearchParamState } from '../../../components/hooks/useSearchParamState.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { annotationMessages } from '../messages.ts'
import { PlatformRatings } from './PlatformRatings.tsx'
import { ReviewQueue } from './ReviewQueue.tsx'

const RATINGS = 'ratings'

/** The review of an app: the queue of its turns, and the ratings that its platform lists, where it does. */
export function ReviewView({ workspace, app }: { workspace: string; app: Key }) {
  const t = useMessages(annotationMessages)
  const { get, set } = useSearchParamState()
  const can = usePermission()
  const hasRatings = app.offers.includes('listFeedbacks') && can(optionalMessageEndpoints.listFeedbacks)
  const reason = REVIEW_REASONS.find((one) => one === get('reason'))
  const showsRatings = hasRatings && get('reason') === RATINGS
  const picker = (
    <SegmentedControl
      size="xs"
      aria-label={t('reason')}
      value={showsRatings ? RATINGS : (reason ?? 'all')}
      onChange={(value) => set({ reason: value === 'all' ? null : value }, { replace: true })}
      data={(['all', ...REVIEW_REASONS, ...(hasRatings ? ([RATINGS] as const) : [])] as const).map((value) => ({
        value,
        label: t(`reasons.${value}`),
      }))}
    />
  )
  return showsRatings ? (
    <PlatformRatings workspace={workspace} app={app} picker={picker} />
  ) : (
    <ReviewQueue workspace={workspace} app={app} reason={reason} picker={picker} />
  )
}
