import { Box, Flex, Group, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import { getRequiredAccess } from '#contract/permissions.ts'
import { annotationEndpoints } from '#contract/platform/annotations.ts'
import { optionalAnnotationEndpoints } from '#contract/platform/optionalAnnotations.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { type Call, callEndpoints } from '#contract/console/calls.ts'
import { asRecord } from '#domain/stream/untrustedJson.ts'
import { paths } from '#domain/paths.ts'
import { truncateText } from '#contract/truncatedText.ts'
import { AnnotationForm } from '../runs/annotate/AnnotationForm.tsx'
import { IdChip } from '../../components/data/IdChip.tsx'
import { SkeletonRows } from '../../components/layout/SkeletonRows.tsx'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { annotationMessages } from './messages.ts'
import { useAnnotation, type AnnotationRow } from './useAnnotations.ts'
import { usePermission } from '../../client/usePermission.ts'
import { PermissionNote } from '../../components/layout/PermissionNote.tsx'
import { SideDrawer } from '../../components/overlays/SideDrawer.tsx'
import { LoadMore } from '../../components/data/LoadMore.tsx'
import { ReadBoundary } from '../../components/layout/ReadBoundary.tsx'
import { RelativeTime } from '../../components/data/RelativeTime.tsx'
import { StatusBadge } from '../../components/data/StatusBadge.tsx'
import { useCursorPages } from '../../client/cursorReads.ts'
import blocks from '../../components/layout/Blocks.module.css'

interface AnnotationPaneProps {
  workspace: string
  app: Key
  /** Null for a new one. */
  annotation_id: string | null
  /** The row of the list; an annotation that is not on this page comes from the ledger. */
  row: AnnotationRow | null
  onClose: () => void
}

/** One annotation: editable if the platform supports it, else read-only; with its history and source run. */
export function AnnotationPane({ workspace, app, annotation_id, row, onClose }: AnnotationPaneProps) {
  const t = useMessages(annotationMessages)
  const { row: annotation, isPending } = useAnnotation(workspace, annotation_id, row)
  const can = usePermission()
  const hasEditPermission = can(
    annotation_id === null ? annotationEndpoints.create : optionalAnnotationEndpoints.updateAnnotation,
  )
  const canEdit = hasEditPermission && (annotation_id === null || app.offers.includes('updateAnnotation'))
  return (
    <SideDrawer title={t(annotation_id === null ? 'new' : canEdit ? 'edit' : 'viewTitle')} onClose={onClose}>
      <Stack gap="md">
        {annotation_id ? <IdChip id={annotation_id} isFull /> : null}
        {annotation_id && !annotation ? (
          isPending ? (
            <SkeletonRows rows={4} height={40} />
          ) : (
            <Text fz="sm" c="dimmed">
              {t('notFound')}
            </Text>
          )
        ) : canEdit ? (
          <AnnotationForm
            key={annotation?.id ?? 'new'}
            app={app.id}
            initial={{ question: annotation?.question ?? '', answer: annotation?.answer ?? '' }}
            annotation_id={annotation_id ?? undefined}
            draftName={`annotation.${app.id}.${annotation_id ?? 'new'}`}
            onSaved={onClose}
            onCancel={onClose}
          />
        ) : (
          <>
            {hasEditPermission ? (
              <Text fz="sm" c="dimmed">
                {t('notEditable')}
              </Text>
            ) : (
              <PermissionNote {...getRequiredAccess(annotationEndpoints.create)} />
            )}
            <Text component="h3" fz="sm" fw={600}>
              {t('question')}
            </Text>
            <p className={blocks.asWritten} dir="auto">
              {annotation?.question}
            </p>
            <Text component="h3" fz="sm" fw={600}>
              {t('answer')}
            </Text>
            <p className={blocks.asWritten} dir="auto">
              {annotation?.answer}
            </p>
          </>
        )}
        {annotation_id ? <AnnotationHistory annotation_id={annotation_id} workspace={workspace} /> : null}
      </Stack>
    </SideDrawer>
  )
}

const ACTION_BY_ENTRY = {
  'annotations.create': 'create',
  'adjacent.updateAnnotation': 'update',
  'adjacent.deleteAnnotation': 'delete',
} as const

/** Every call that created or changed an annotation through this console: person, time, content and source run. */
function AnnotationHistory({ annotation_id, workspace }: { annotation_id: string; workspace: string }) {
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
  return (
    <Flex
      component="section"
      direction="column"
      gap="md"
      pt="md"
      style={{ borderTop: '1px solid var(--line)' }}
      aria-label={t('history')}
    >
      <Text component="h3" fz="sm" fw={600}>
        {t('history')}
      </Text>
      <ReadBoundary
        read={isFetchNextPageError ? { ...read, error: null } : read}
        action={t('historyWhat')}
        loading={null}
        isEmpty={({ pages }) => !read.hasNextPage && pages.every(({ data }) => data.length === 0)}
        empty={
          <Text fz="sm" c="dimmed">
            {t('noHistory')}
          </Text>
        }
      >
        {({ pages }) => <AnnotationCalls workspace={workspace} calls={pages.flatMap(({ data }) => data)} />}
      </ReadBoundary>
      <LoadMore
        hasMore={read.hasNextPage}
        isBusy={read.isFetchingNextPage}
        onLoadMore={() => void read.fetchNextPage()}
        problem={isFetchNextPageError ? (error?.problem ?? null) : null}
        action={t('historyWhat')}
      />
    </Flex>
  )
}

function AnnotationCalls({ workspace, calls }: { workspace: string; calls: readonly Call[] }) {
  const t = useMessages(annotationMessages)
  return (
    <Flex component="ol" direction="column" gap="md" fz="sm">
      {calls.map((call) => {
        const action = ACTION_BY_ENTRY[call.entry as keyof typeof ACTION_BY_ENTRY]
        const answer = asRecord(call.request)?.['answer']
        return (
          <li key={call.id}>
            <Group gap="sm">
              {call.status === 'succeeded' ? null : <StatusBadge status={call.status} />}
              <b>{action ? t(`calls.${action}`) : call.entry}</b> {call.person ?? t('nobody')}{' '}
              <RelativeTime at={call.created_at} />{' '}
              {call.parent
                ? t.rich('fromRun', {
                    id: call.parent.slice(0, 8),
                    run: (words) => <Link to={paths.run(call.parent ?? '', { workspace })}>{words}</Link>,
                  })
                : null}
            </Group>
            {typeof answer === 'string' ? (
              <Box className={blocks.asWritten} pt={4} c="dimmed" dir="auto">
                {truncateText(answer, 600)}
              </Box>
            ) : null}
          </li>
        )
      })}
    </Flex>
  )
}
