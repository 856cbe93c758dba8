import { useMediaQuery } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { getRequiredAccess } from '#contract/permissions.ts'
import type { Problem } from '#contract/problem.ts'
import { segmentEndpoints } from '#contract/platform/segments.ts'
import { optionalSegmentEndpoints } from '#contract/platform/optionalSegments.ts'
import type { DocumentRecord } from '#domain/documentRecord.ts'
import { ProblemAlert } from '../../../../components/layout/ProblemAlert.tsx'
import { LazyDrawer } from '../../../../components/overlays/LazyDrawer.tsx'
import { SplitPane } from '../../../../components/layout/SplitPane.tsx'
import { SkeletonRows } from '../../../../components/layout/SkeletonRows.tsx'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import { useRead } from '../../../../client/query.ts'
import { ChildChunkEditor } from './ChildChunkEditor.tsx'
import { useTextBeforeSave } from '../StaleChildrenNote.tsx'
import { type SegmentTarget, useChildChunks } from '../useChildChunks.ts'
import classes from './Editor.module.css'
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

/** What is edited, at the right; over the page where there is no room for it. */
export function EditorPane(props: EditorPaneProps) {
  const { input, keyId, workspace, capabilities, record, child, onChild, onAskAgain } = props
  const t = useMessages(segmentMessages)
  const can = usePermission()
  const [, setTextBefore] = useTextBeforeSave(input.segment_id)
  const fitsBeside = useMediaQuery('(min-width: 1200px)', true, { getInitialValueInEffect: false })
  const segment = useRead(segmentEndpoints.read, { key: keyId, params: { ...input } })
  const children = useChildChunks(keyId, input, child !== 'segment')
  const chunkIndex = children.data?.findIndex(({ id }) => id === child) ?? -1
  const chunk = children.data?.[chunkIndex] ?? null
  const close = () => onChild(null)
  const label = child === 'segment' ? t('editSegment') : t('childEditor')
  let editor: ReactNode = <SkeletonRows rows={6} />
  if (child === 'segment' && !can(optionalSegmentEndpoints.updateSegment))
    editor = <PermissionNote {...getRequiredAccess(optionalSegmentEndpoints.updateSegment)} />
  else if (child === 'new' && !can(segmentEndpoints.createChildChunk))
    editor = <PermissionNote {...getRequiredAccess(segmentEndpoints.createChildChunk)} />
  else if (child === 'segment') {
    if (segment.data)
      editor = (
        <SegmentEditor
          input={input}
          keyId={keyId}
          workspace={workspace}
          record={record}
          segment={segment.data.data}
          hasChildren={segment.data.doc_form === 'hierarchical_model'}
          onClose={close}
          onParentSaved={(before) => setTextBefore((known) => known ?? before)}
        />
      )
    else if (segment.error)
      editor = renderProblem(segment.error.problem, t('segmentWhat'), () => void segment.refetch())
  } else if (chunk || child === 'new')
    editor = (
      <ChildChunkEditor
        input={input}
        keyId={keyId}
        workspace={workspace}
        record={record}
        chunk={chunk}
        number={chunkIndex + 1}
        canDelete={capabilities.includes('deleteChildChunk')}
        onClose={close}
        onSaved={({ id }) => onChild(id)}
        onAskAgain={onAskAgain}
      />
    )
  else if (children.error) editor = renderProblem(children.error.problem, t('childWhat'), () => void children.refetch())
  else if (children.data) editor = <p className={classes.fields}>{t('childUnknown')}</p>
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

const renderProblem = (problem: Problem, action: string, onRetry: () => void) => (
  <div className={classes.fields}>
    <ProblemAlert problem={problem} action={action} onRetry={onRetry} />
  </div>
)
