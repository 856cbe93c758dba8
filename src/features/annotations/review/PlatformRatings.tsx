import { type ReactNode, useState } from 'react'
import { Box, Button, Flex, Group, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import { getRequiredAccess } from '#contract/permissions.ts'
import { annotationEndpoints } from '#contract/platform/annotations.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { paths } from '#domain/paths.ts'
import { optionalAppEndpoints } from '#contract/platform/optionalApps.ts'
import { optionalMessageEndpoints } from '#contract/platform/optionalMessages.ts'
import { usePermission } from '../../../client/usePermission.ts'
import { LoadMore } from '../../../components/data/LoadMore.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { EmptyState } from '../../../components/layout/EmptyState.tsx'
import { PermissionNote } from '../../../components/layout/PermissionNote.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { ReadBoundary } from '../../../components/layout/ReadBoundary.tsx'
import { SkeletonRows } from '../../../components/layout/SkeletonRows.tsx'
import { annotationMessages } from '../messages.ts'
import { type RatedMessage, usePlatformRatings } from './usePlatformRatings.ts'
import { IdChip } from '../../../components/data/IdChip.tsx'
import { RelativeTime } from '../../../components/data/RelativeTime.tsx'
import { RunTestCaseButton } from '../../runs/testCase/TestCaseButton.tsx'
import { useRead } from '../../../client/query.ts'
import { SideDrawer } from '../../../components/overlays/SideDrawer.tsx'
import { AnnotateDrawer } from '../../runs/annotate/AnnotateDrawer.tsx'
import { AnnotationForm } from '../../runs/annotate/AnnotationForm.tsx'
import { useTurn } from '../../runs/useTurn.ts'
import blocks from '../../../components/layout/Blocks.module.css'

/** The messages that were rated at the platform or through this console, newest first. */
export function PlatformRatings({ workspace, app, picker }: { workspace: string; app: Key; picker: ReactNode }) {
  const t = useMessages(annotationMessages)
  const can = usePermission()
  const canAnnotate = can(annotationEndpoints.create)
  const [annotated, setAnnotated] = useState<RatedMessage | null>(null)
  const { messages, problem, hasMore, isLoadingMore, loadMore, retry } = usePlatformRatings(app)
  const close = () => setAnnotated(null)
  return (
    <Stack gap={4}>
      <Group gap="md" px="lg" py="sm">
        {picker}
        {messages && messages.length > 0 ? (
          <Text span fz="sm" c="dimmed">
            {t('ratingsLoaded', { n: messages.length })}
          </Text>
        ) : null}
      </Group>
      {!messages && !problem ? <SkeletonRows rows={5} height={60} /> : null}
      {!messages && problem ? <ProblemAlert problem={problem} action={t('ratingsWhat')} onRetry={retry} /> : null}
      {messages?.length === 0 && !hasMore ? (
        <EmptyState title={t('ratingsEmpty')}>{t('ratingsEmptyText')}</EmptyState>
      ) : null}
      {messages && !canAnnotate ? <PermissionNote {...getRequiredAccess(annotationEndpoints.create)} /> : null}
      {messages && messages.length > 0 ? (
        <Box component="ul" maw={820} px="lg" pb="lg" aria-label={t('reasons.ratings')}>
          {messages.map((message) => (
            <RatingRow
              key={message.ratings[0]?.id}
              workspace={workspace}
              app={app}
              message={message}
              onAnnotate={canAnnotate ? () => setAnnotated(message) : null}
            />
          ))}
        </Box>
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
    </Stack>
  )
}

interface RatingRowProps {
  workspace: string
  app: Key
  message: RatedMessage
  /** Null without permission. */
  onAnnotate: (() => void) | null
}

/** One rated message: its ratings with origin, time and comment, its run or its id, and the way to an annotation. */
function RatingRow({ workspace, app, message, onAnnotate }: RatingRowProps) {
  const t = useMessages(annotationMessages)
  const { run, ratings, message_id, conversation_id } = message
  const canReadMessage = message_id !== null && conversation_id !== null && app.offers.includes('listMessages')
  const canAnnotate = run !== null || canReadMessage
  return (
    <Flex component="li" direction="column" gap="sm" py="md" fz="sm" style={{ borderTop: '1px solid var(--line)' }}>
      {ratings.map(({ id, rating, origin, at, comment }) => (
        <Stack key={id} gap={4}>
          <Group gap="md" c="dimmed">
            <b>{rating === 'like' ? t('rating.like') : rating === 'dislike' ? t('rating.dislike') : rating}</b>
            <span>{t(`ratedBy.${origin}`)}</span>
            {at ? <RelativeTime at={at} /> : null}
          </Group>
          <Text className={blocks.asWritten} {...(comment ? {} : { fz: 'sm', c: 'dimmed' })} dir="auto">
            {comment || t('noComment')}
          </Text>
        </Stack>
      ))}
      <Flex component="footer" wrap="wrap" align="center" gap="md">
        {run ? (
          <Link to={paths.run(run.id, { workspace })}>{run.title || t('openRun')}</Link>
        ) : message_id ? (
          <Text span fz="sm" c="dimmed">
            {t('ratedMessage')} <IdChip id={message_id} />
          </Text>
        ) : null}
        {onAnnotate && canAnnotate ? (
          <Button size="compact-xs" variant="default" onClick={onAnnotate}>
            {t('doAnnotate')}
          </Button>
        ) : null}
        {run ? <RunTestCaseButton run_id={run.id} app={app} workspace={workspace} /> : null}
        {canAnnotate ? null : (
          <Text span fz="sm" c="dimmed">
            {t('textUnknown')}
          </Text>
        )}
      </Flex>
    </Flex>
  )
}

/** The newest messages of the conversation that are searched: a page of the platform. */
const MAX_MESSAGES = 100

/** The annotation of a rated message that the ledger knows, from its turn. */
function RunAnnotation(props: { run_id: string; workspace: string; app: Key; onClose: () => void }) {
  const { run_id, workspace, app, onClose } = props
  const t = useMessages(annotationMessages)
  const { turn, problem, retry } = useTurn(run_id)
  if (turn) return <AnnotateDrawer turn={turn} app={app} workspace={workspace} onClose={onClose} />
  return problem ? <ProblemAlert problem={problem} action={t('readRunWhat')} onRetry={retry} /> : null
}

/** The annotation of a rated message that the ledger does not know: its texts come from the platform's conversation. */
function MessageAnnotation(props: { message: RatedMessage; app: Key; onClose: () => void }) {
  const { message, app, onClose } = props
  const { message_id, conversation_id, end_user_id } = message
  const t = useMessages(annotationMessages)
  // The list of messages takes the user's name, the rating has the platform's id of the user.
  const hasEndUser = end_user_id !== null && app.offers.includes('readEndUser')
  const endUser = useRead(
    optionalAppEndpoints.readEndUser,
    { key: app.id, params: { end_user_id: end_user_id ?? '' } },
    { enabled: hasEndUser },
  )
  const list = useRead(
    optionalMessageEndpoints.listMessages,
    {
      key: app.id,
      query: {
        conversation_id: conversation_id ?? '',
        user: endUser.data?.session_id ?? undefined,
        limit: MAX_MESSAGES,
      },
    },
    { enabled: !hasEndUser || endUser.isSuccess },
  )
  return (
    <SideDrawer title={t('new')} onClose={onClose}>
      <ReadBoundary
        read={hasEndUser && !endUser.isSuccess ? { ...endUser, data: undefined } : list}
        action={t('messageWhat')}
        loading={<SkeletonRows rows={4} height={40} />}
      >
        {({ data }) => {
          const found = data.find(({ id }) => id === message_id)
          return found ? (
            <AnnotationForm
              app={app.id}
              initial={{ question: found.query ?? '', answer: found.answer ?? '' }}
              note={`from message ${found.id}`}
              draftName={`annotation.message.${found.id}`}
              onSaved={onClose}
              onCancel={onClose}
            />
          ) : (
            <Text fz="sm" c="dimmed">
              {t('messageNotFound', { n: MAX_MESSAGES })}
            </Text>
          )
        }}
      </ReadBoundary>
    </SideDrawer>
  )
}
