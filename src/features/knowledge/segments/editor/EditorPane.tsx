import { Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { getRequiredAccess } from '#contract/permissions.ts'
import { segmentEndpoints } from '#contract/platform/segments.ts'
import { optionalSegmentEndpoints } from '#contract/platform/optionalSegments.ts'
import type { ChildChunkRecord, DocumentRecord } from '#domain/documentRecord.ts'
import { ReadBoundary } from '../../../../components/layout/ReadBoundary.tsx'
import { LazyDrawer } from '../../../../components/overlays/LazyDrawer.tsx'
import { SplitPane } from '../../../../components/layout/SplitPane.tsx'
import { SkeletonRows } from '../../../../components/layout/SkeletonRows.tsx'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import { useRead } from '../../../../client/query.ts'
import { ChildChunkEditor } from './ChildChunkEditor.tsx'
import { useTextBeforeSave } from '../StaleChildrenNote.tsx'
import { type SegmentTarget, useChildChunks } from '../useChildChunks.ts'
import { segmentMessages } from '../messages.ts'
import { SegmentEditor } from './SegmentEditor.tsx'
import { usePermission } from '../../../../client/usePermission.ts'
import { PermissionNote } from '../../../../components/layout/PermissionNote.tsx'

export interface EditorPaneProps {
  input: SegmentTarget
  keyId: string
  workspace: string
  capabilities: readonly string[]
  record: DocumentRecord | null
  /** A child chunk's id, `new`, or `segment` for the segment itself. */
  child: string
  onChild: (child: string | null) => void
  onAskAgain: (() => void) | null
}

/** The editor at the right, or over the page if there is no space. */
export function EditorPane(props: EditorPaneProps) {
  const { input, keyId, workspace, capabilities, record, child, onChild, onAskAgain } = props
  const t = useMessages(segmentMessages)
  const can = usePermission()
  const [, setTextBefore] = useTextBeforeSave(input.segment_id)
  const fitsBeside = useMediaQuery('(min-width: 1200px)', true, { getInitialValueInEffect: false })
  const segment = useRead(segmentEndpoints.read, { key: keyId, params: { ...input } })
  const children = useChildChunks(keyId, input, child !== 'segment')
  const close = () => onChild(null)
  const label = child === 'segment' ? t('editSegment') : t('childEditor')
  const skeleton = <SkeletonRows rows={6} />
  const renderChildEditor = (chunk: ChildChunkRecord | null, number: number) => (
    <ChildChunkEditor
      {...{ input, keyId, workspace, record, chunk, number, onAskAgain }}
      canDelete={capabilities.includes('deleteChildChunk')}
      onClose={close}
      onSaved={({ id }) => onChild(id)}
    />
  )
  let editor: ReactNode
  if (child === 'segment' && !can(optionalSegmentEndpoints.updateSegment))
    editor = <PermissionNote {...getRequiredAccess(optionalSegmentEndpoints.updateSegment)} />
  else if (child === 'new' && !can(segmentEndpoints.createChildChunk))
    editor = <PermissionNote {...getRequiredAccess(segmentEndpoints.createChildChunk)} />
  else if (child === 'segment')
    editor = (
      <ReadBoundary read={segment} action={t('segmentWhat')} loading={skeleton} isInset>
        {({ data, doc_form }) => (
          <SegmentEditor
            {...{ input, keyId, workspace, record }}
            segment={data}
            hasChildren={doc_form === 'hierarchical_model'}
            onClose={close}
            onParentSaved={(before) => setTextBefore((known) => known ?? before)}
          />
        )}
      </ReadBoundary>
    )
  else if (child === 'new') editor = renderChildEditor(null, 0)
  else
    editor = (
      <ReadBoundary read={children} action={t('childWhat')} loading={skeleton} isInset>
        {(chunks) => {
          const index = chunks.findIndex(({ id }) => id === child)
          return chunks[index] ? renderChildEditor(chunks[index], index + 1) : <Text p="lg">{t('childUnknown')}</Text>
        }}
      </ReadBoundary>
    )
  return fitsBeside ? (
    <SplitPane label={label} resizeLabel={t('grip')} storageKey="chunk" initialWidthPx={428}>
      {editor}
    </SplitPane>
  ) : (
    <LazyDrawer opened onClose={close} label={label} position="right" size={480}>
      {editor}
    </LazyDrawer>
  )
}
