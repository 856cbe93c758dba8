import { Button, Flex, Group, Kbd, SegmentedControl, Stack, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { REVIEW_REASONS, type ReviewReason, reviewEndpoints } from '#contract/console/review.ts'
import { optionalMessageEndpoints } from '#contract/platform/optionalMessages.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { savedItemEndpoints } from '#contract/console/savedItems.ts'
import { annotationEndpoints } from '#contract/platform/annotations.ts'
import { getRequiredAccess } from '#contract/permissions.ts'
import type { EndpointReply } from '#contract/endpoint.ts'
import { paths } from '#domain/paths.ts'
import { usePermission } from '../../../client/usePermission.ts'
import { useSearchParamState } from '../../../components/hooks/useSearchParamState.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { annotationMessages } from '../messages.ts'
import { PlatformRatings } from './PlatformRatings.tsx'
import { ReadBoundary } from '../../../components/layout/ReadBoundary.tsx'
import fields from '../../../components/forms/Fields.module.css'
import { EmptyState } from '../../../components/layout/EmptyState.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { SkeletonRows } from '../../../components/layout/SkeletonRows.tsx'
import { useRead, useWrite } from '../../../client/query.ts'
import { AnnotateDrawer, toQuestionAnswer } from '../../runs/annotate/AnnotateDrawer.tsx'
import { AnswerView } from '../../runs/answer/AnswerView.tsx'
import { TestCaseButton } from '../../runs/testCase/TestCaseButton.tsx'
import { useTurn } from '../../runs/useTurn.ts'
import { RelativeTime } from '../../../components/data/RelativeTime.tsx'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import { useShortcuts } from '../../../components/hooks/useShortcuts.ts'
import { PermissionNote } from '../../../components/layout/PermissionNote.tsx'
import blocks from '../../../components/layout/Blocks.module.css'

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

interface ReviewQueueProps {
  workspace: string
  app: Key
  reason: ReviewReason | undefined
  /** The choice of what is reviewed, before the state of the queue. */
  picker: ReactNode
}

/** Turns to review, one after another. A review mark is stored for everybody; a skip lasts until the page closes. */
function ReviewQueue({ workspace, app, reason, picker }: ReviewQueueProps) {
  const t = useMessages(annotationMessages)
  const read = useRead(reviewEndpoints.listReview, {
    query: { key: app.id, reason, limit: 100 },
  })
  const can = usePermission()
  const [skippedIds, setSkippedIds] = useState<readonly string[]>([])
  const markReviewed = useWrite(savedItemEndpoints.createSavedItem)
  const unmarkReviewed = useWrite(savedItemEndpoints.deleteSavedItem)
  const done = markReviewed.data && markReviewed.variables.body.about
  const { data } = read
  const pendingTurns = data?.data.filter(({ run }) => !skippedIds.includes(run.id) && run.id !== done) ?? []
  const [current] = pendingTurns
  const problem = markReviewed.error?.problem ?? unmarkReviewed.error?.problem
  const mark = ({ run, reasons }: ReviewItem) =>
    markReviewed.mutate({
      body: { kind: 'mark', workspace, about: run.id, name: 'reviewed', value: { reasons } },
    })
  return (
    <Stack gap={4}>
      <Group gap="md" px="lg" py="sm">
        {picker}
        {data ? (
          <Text span fz="sm" c="dimmed">
            {t('reviewLeft', { left: pendingTurns.length, total: data.total, looked: data.looked })}
          </Text>
        ) : null}
        {markReviewed.isSuccess ? (
          <Text span fz="sm" c="dimmed" role="status">
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
          </Text>
        ) : null}
      </Group>
      {problem ? <ProblemAlert problem={problem} action={t('markWhat')} /> : null}
      <ReadBoundary read={read} action={t('reviewWhat')} loading={<SkeletonRows rows={5} height={60} />}>
        {({ looked }) =>
          current ? (
            <ReviewTurn
              key={current.run.id}
              workspace={workspace}
              app={app}
              item={current}
              canAnnotate={can(annotationEndpoints.create)}
              onMarkReviewed={can(savedItemEndpoints.createSavedItem) ? () => mark(current) : null}
              isMarking={markReviewed.isPending}
              onSkip={() => setSkippedIds([...skippedIds, current.run.id])}
              onBack={skippedIds.length > 0 ? () => setSkippedIds(skippedIds.slice(0, -1)) : null}
              onAnnotated={() => void read.refetch()}
            />
          ) : skippedIds.length > 0 ? (
            <EmptyState
              title={t('reviewSkipped')}
              actions={<Button onClick={() => setSkippedIds([])}>{t('startOver')}</Button>}
            >
              {t('reviewSkippedText', { n: skippedIds.length })}
            </EmptyState>
          ) : (
            <EmptyState title={t('reviewEmpty')}>{t('reviewEmptyText', { looked })}</EmptyState>
          )
        }
      </ReadBoundary>
    </Stack>
  )
}

type ReviewItem = EndpointReply<typeof reviewEndpoints.listReview>['data'][number]

interface ReviewTurnProps {
  workspace: string
  app: Key
  item: ReviewItem
  isMarking: boolean
  /** Null without permission. */
  onMarkReviewed: (() => void) | null
  canAnnotate: boolean
  onSkip: () => void
  /** Null if nothing was skipped. */
  onBack: (() => void) | null
  onAnnotated: () => void
}

/** One turn of the queue, with its shortcuts. */
function ReviewTurn(props: ReviewTurnProps) {
  const { workspace, app, item, isMarking, onMarkReviewed, canAnnotate, onSkip, onBack, onAnnotated } = props
  const { run, reasons } = item
  const t = useMessages(annotationMessages)
  const [isOpen, setOpen] = useState(false)
  const { turn, isLoading, problem, retry } = useTurn(run.id)
  const open = () => setOpen(true)
  useShortcuts(
    isOpen
      ? []
      : [
          ['a', outsideDialogs(() => turn && canAnnotate && open())],
          ['m', outsideDialogs(() => (isMarking ? undefined : onMarkReviewed?.()))],
          ['s', outsideDialogs(onSkip)],
          ['b', outsideDialogs(() => onBack?.())],
        ],
  )
  return (
    <Flex component="article" direction="column" gap="sm" maw={820} px="lg" pt="sm" aria-label={t('turn')}>
      <Flex component="header" wrap="wrap" align="center" gap="md" fz="sm" c="dimmed">
        {reasons.map((reason) => (
          <b key={reason}>{t(`reasons.${reason}`)}</b>
        ))}
        <StatusBadge status={run.status} />
        <RelativeTime at={run.created_at} />
        <span>{run.user}</span>
        <Link to={paths.run(run.id, { workspace })}>{t('openRun')}</Link>
      </Flex>
      {isLoading ? <SkeletonRows rows={3} height={60} /> : null}
      {problem ? <ProblemAlert problem={problem} action={t('readRunWhat')} onRetry={retry} /> : null}
      <Text component="h3" fz="sm" fw={600}>
        {t('asked')}
      </Text>
      <Text className={blocks.asWritten} dir="auto">
        {turn ? toQuestionAnswer(turn).question || run.title : run.title}
      </Text>
      <Text component="h3" fz="sm" fw={600}>
        {t('answered')}
      </Text>
      {turn && turn.answer.text !== '' ? (
        <AnswerView turn={turn} onCite={() => undefined} />
      ) : (
        <Text fz="sm" c="dimmed">
          {t('noAnswer')}
        </Text>
      )}
      {run.problem ? <ProblemAlert problem={run.problem} /> : null}
      <footer className={fields.buttons}>
        {canAnnotate ? (
          <Button onClick={open} disabled={!turn} rightSection={<Kbd size="xs">a</Kbd>}>
            {t('doAnnotate')}
          </Button>
        ) : null}
        {onMarkReviewed ? (
          <Button variant="default" loading={isMarking} onClick={onMarkReviewed} rightSection={<Kbd size="xs">m</Kbd>}>
            {t('doMark')}
          </Button>
        ) : null}
        <Button variant="default" onClick={onSkip} rightSection={<Kbd size="xs">s</Kbd>}>
          {t('doSkip')}
        </Button>
        {onBack ? (
          <Button variant="default" onClick={onBack} rightSection={<Kbd size="xs">b</Kbd>}>
            {t('doBack')}
          </Button>
        ) : null}
        {turn ? <TestCaseButton turn={turn} app={app} workspace={workspace} /> : null}
        {canAnnotate && onMarkReviewed ? null : <PermissionNote {...getRequiredAccess(annotationEndpoints.create)} />}
      </footer>
      {isOpen && turn ? (
        <AnnotateDrawer
          turn={turn}
          app={app}
          workspace={workspace}
          onClose={() => {
            setOpen(false)
            onAnnotated()
          }}
        />
      ) : null}
    </Flex>
  )
}

/** A drawer over the turn, as that of a test case, has keys of its own. */
const outsideDialogs =
  (act: () => void) =>
  ({ target }: KeyboardEvent): void => {
    if (!(target instanceof Element && target.closest('[role="dialog"]'))) act()
  }
