import { Button, Group, Text } from '@mantine/core'
import { useSessionStorage } from '@mantine/hooks'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useMemo } from 'react'
import { optionalSegmentEndpoints } from '#contract/platform/optionalSegments.ts'
import { type ChunkCoverage, findStaleChunks, getChunkCoverage } from '#domain/chunking/chunkCoverage.ts'
import type { ChildChunkRecord } from '#domain/documentRecord.ts'
import { useDeleteDialog } from '../../../components/overlays/useDeleteDialog.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useWrite } from '../../../client/query.ts'
import type { SegmentTarget } from './useChildChunks.ts'
import { segmentMessages } from './messages.ts'
import { useRegenerationConsequences } from './useRegenerationConsequences.ts'

/** A parent's text before it was saved without its children: stored in this tab until a person decides. */
export const useTextBeforeSave = (segment_id: string) =>
  useSessionStorage<string | null>({
    key: `loupe.parent-before.${segment_id}`,
    defaultValue: null,
    getInitialValueInEffect: false,
  })

export interface StaleChildrenNoteProps {
  input: SegmentTarget
  keyId: string | undefined
  text: string
  chunks: readonly ChildChunkRecord[]
  coverage: ChunkCoverage
  canUpdate: boolean
  onOpen: (child_chunk_id: string) => void
}

/** After a parent was saved: searches still find it by the former text of its children, until they are changed too. */
export function StaleChildrenNote({ input, keyId, text, chunks, coverage, canUpdate, onOpen }: StaleChildrenNoteProps) {
  const t = useMessages(segmentMessages)
  const [before, , keep] = useTextBeforeSave(input.segment_id)
  const openDelete = useDeleteDialog()
  const { lost, kept } = useRegenerationConsequences(chunks)
  const regenerate = useWrite(optionalSegmentEndpoints.updateSegment, { onDone: keep })
  const askToRegenerate = () =>
    openDelete({
      title: t('regenerateTitle', { n: chunks.length }),
      children: t('regenerateText'),
      lost,
      kept,
      confirmLabel: t('regenerate'),
      cancelLabel: t('cancel'),
      action: t('regenerateWhat'),
      run: () =>
        regenerate.mutateAsync({
          ...(keyId ? { key: keyId } : {}),
          params: { ...input },
          body: { segment: { content: text, regenerate_child_chunks: true } },
        }),
    })
  const stale = useMemo(() => (before === null ? [] : findStaleChunks(before, text, chunks)), [before, text, chunks])
  const uncovered = useMemo(
    () =>
      before === null ? 0 : countGapChars(text, coverage) - countGapChars(before, getChunkCoverage(before, chunks)),
    [before, text, chunks, coverage],
  )
  if (before === null || (stale.length === 0 && uncovered <= 0)) return null
  return (
    <Group
      component="section"
      role="status"
      aria-label={t('staleTitle')}
      wrap="nowrap"
      align="start"
      gap="sm"
      maw="80ch"
      px="md"
      py="sm"
      fz={13}
      bd="1px solid var(--interrupted-solid)"
      bdrs="lg"
    >
      <IconAlertTriangle size={16} aria-hidden="true" color="var(--interrupted-fg)" />
      <div>
        <strong>{stale.length > 0 ? t('stale', { n: stale.length }) : t('newUncovered', { n: uncovered })}</strong>
        <Text fz={13} c="dimmed" mb="sm">
          {t('staleText')}
        </Text>
        <Group gap="sm">
          {canUpdate ? (
            <Button variant="default" onClick={askToRegenerate}>
              {t('regenerate')}
            </Button>
          ) : null}
          {stale.slice(0, MAX_STALE_BUTTONS).map((index) => (
            <Button key={index} variant="default" onClick={() => onOpen(chunks[index]?.id ?? '')}>
              {t('editChild', { number: index + 1 })}
            </Button>
          ))}
          <Button variant="subtle" color="gray" onClick={keep}>
            {t('keepChildren')}
          </Button>
        </Group>
      </div>
    </Group>
  )
}

const MAX_STALE_BUTTONS = 5

const countGapChars = (text: string, { gaps }: ChunkCoverage): number =>
  gaps.reduce((sum, { start, end }) => sum + text.slice(start, end).replace(/\s/g, '').length, 0)
