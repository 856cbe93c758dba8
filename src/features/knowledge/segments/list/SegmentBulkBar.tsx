import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { ProblemAlert } from '../../../../components/layout/ProblemAlert.tsx'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import { useSegmentDeletion } from '../SegmentActions.tsx'
import classes from '../Document.module.css'
import { segmentMessages } from '../messages.ts'
import type { SegmentSelection } from './useSegmentSelection.ts'
import { useQueryClient } from '@tanstack/react-query'
import { type Problem, ProblemError } from '#contract/problem.ts'
import { optionalSegmentEndpoints } from '#contract/platform/optionalSegments.ts'
import { call } from '../../../../client/http.ts'
import { invalidateTags } from '../../../../client/query.ts'

interface SegmentBulkBarProps {
  selection: SegmentSelection
  bulk: ReturnType<typeof useBulkSegmentAction>
  capabilities: readonly string[]
}

/** What can be done with the selected segments, and below it how far it is and what was refused. */
export function SegmentBulkBar({ selection, bulk, capabilities }: SegmentBulkBarProps) {
  const t = useMessages(segmentMessages)
  const openDelete = useSegmentDeletion()
  const ids = [...selection.ids]
  const isBusy = bulk.progress !== null && !bulk.progress.isFinished
  return (
    <>
      {ids.length > 0 ? (
        <Group
          className={classes.band}
          gap="xs"
          fz="sm"
          bg="var(--primary-tint)"
          role="toolbar"
          aria-label={t('bulkActions')}
        >
          <Text span inherit fw={600} w="100%">
            {t('selected', { n: ids.length })}
          </Text>
          {capabilities.includes('updateSegment')
            ? (['enable', 'disable'] as const).map((action) => (
                <Button key={action} variant="default" disabled={isBusy} onClick={() => bulk.run(action, ids)}>
                  {t(action)}
                </Button>
              ))
            : null}
          {capabilities.includes('deleteSegment') ? (
            <Button
              variant="default"
              disabled={isBusy}
              onClick={() =>
                openDelete({ title: t('deleteSeveralTitle', { n: ids.length }), run: () => bulk.run('delete', ids) })
              }
            >
              {t('delete')}
            </Button>
          ) : null}
          <Button variant="subtle" color="gray" disabled={isBusy} onClick={selection.clear}>
            {t('clearSelection')}
          </Button>
        </Group>
      ) : null}
      {selection.problem ? <ProblemAlert problem={selection.problem} action={t('segmentsWhat')} /> : null}
      {bulk.progress ? <BulkProgress bulk={bulk} progress={bulk.progress} /> : null}
    </>
  )
}

type Bulk = ReturnType<typeof useBulkSegmentAction>

function BulkProgress({ bulk, progress }: { bulk: Bulk; progress: NonNullable<Bulk['progress']> }) {
  const t = useMessages(segmentMessages)
  const { action, total, done, failures, isFinished } = progress
  const first = failures[0]
  return (
    <Stack className={classes.band} gap="xs" fz="sm" role="status">
      {isFinished ? null : <Progress value={(100 * done) / total} aria-label={t('bulkActions')} />}
      <Group gap="xs">
        <Text span inherit flex={1}>
          {isFinished
            ? t('bulkDone', { action, n: total - failures.length, failed: failures.length })
            : t('bulkProgress', { done, total })}
        </Text>
        {failures.length > 0 && isFinished ? (
          <Button
            variant="default"
            onClick={() =>
              bulk.run(
                action,
                failures.map(({ id }) => id),
              )
            }
          >
            {t('retry')}
          </Button>
        ) : null}
        {isFinished ? (
          <Button variant="subtle" color="gray" onClick={bulk.dismiss}>
            {t('closeRun')}
          </Button>
        ) : null}
      </Group>
      {first ? <ProblemAlert problem={first.problem} action={t('changeWhat')} /> : null}
    </Stack>
  )
}

type SegmentAction = 'enable' | 'disable' | 'delete'

interface BulkSegmentProgress {
  action: SegmentAction
  total: number
  done: number
  failures: { id: string; problem: Problem }[]
  isFinished: boolean
}

/** Requests under way at once; platforms limit the calls of a minute. */
const MAX_PARALLEL_CALLS = 3

interface BulkSegmentInput {
  dataset_id: string
  document_id: string
  keyId: string | undefined
  onDeleted: (ids: readonly string[]) => void
}

/** Applies an action to several segments, one request each: the interface has no bulk operation. */
export function useBulkSegmentAction({ dataset_id, document_id, keyId, onDeleted }: BulkSegmentInput) {
  const client = useQueryClient()
  const [progress, setProgress] = useState<BulkSegmentProgress | null>(null)
  const run = async (action: SegmentAction, ids: readonly string[]) => {
    setProgress({ action, total: ids.length, done: 0, failures: [], isFinished: false })
    const queue = [...ids]
    const deleted: string[] = []
    const work = async () => {
      for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
        const problem = await applySegmentAction(action, {
          ...(keyId ? { key: keyId } : {}),
          params: { dataset_id, document_id, segment_id: id },
        })
        if (!problem && action === 'delete') deleted.push(id)
        const segment_id = id
        setProgress(
          (before) =>
            before && {
              ...before,
              done: before.done + 1,
              failures: problem ? [...before.failures, { id: segment_id, problem }] : before.failures,
            },
        )
      }
    }
    await Promise.all(Array.from({ length: Math.min(MAX_PARALLEL_CALLS, ids.length) }, work))
    // Before the lists are read again: nothing reads deleted segments any more.
    if (deleted.length > 0) onDeleted(deleted)
    await invalidateTags(client, [...optionalSegmentEndpoints.updateSegment.invalidates, 'calls'])
    setProgress((before) => before && { ...before, isFinished: true })
  }
  return {
    progress,
    run: (action: SegmentAction, ids: readonly string[]) => void run(action, ids),
    dismiss: () => setProgress(null),
  }
}

interface SegmentCallTarget {
  key?: string
  params: { dataset_id: string; document_id: string; segment_id: string }
}

/** Null where the platform has done it. */
async function applySegmentAction(action: SegmentAction, target: SegmentCallTarget): Promise<Problem | null> {
  try {
    if (action === 'delete') await call(optionalSegmentEndpoints.deleteSegment, target)
    else
      await call(optionalSegmentEndpoints.updateSegment, {
        ...target,
        body: { segment: { enabled: action === 'enable' } },
      })
    return null
  } catch (error) {
    if (error instanceof ProblemError) return error.problem
    throw error
  }
}
