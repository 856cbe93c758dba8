import { useMediaQuery } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { contract } from '#contract/index.ts'
import type { Problem } from '#contract/problem.ts'
import type { DocumentRecord } from '#contract/records.ts'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { Sheet } from '../../ui/Sheet.tsx'
import { SidePane } from '../../ui/SidePane.tsx'
import { SkeletonRows } from '../../ui/SkeletonRows.tsx'
import { useWords } from '../../ui/words.ts'
import { useRead } from '../../wire/query.ts'
import { ChildEditor } from './ChildEditor.tsx'
import { type SegmentInput, useChildren } from './children.ts'
import classes from './Editor.module.css'
import { segmentsWords } from './messages.ts'
import { SegmentEditor } from './SegmentEditor.tsx'
import { useMay } from '../../wire/useMay.ts'
import { RoleNote } from '../../ui/RoleNote.tsx'

export interface EditorPaneProps {
  input: SegmentInput
  keyId: string
  workspace: string
  offers: readonly string[]
  record: DocumentRecord | null
  /** A child chunk's id, `new`, or `segment` for the segment itself. */
  child: string
  onChild: (child: string | null) => void
}

/** What is edited, at the right; over the page where there is no room for it. */
export function EditorPane({ input, keyId, workspace, offers, record, child, onChild }: EditorPaneProps) {
  const t = useWords(segmentsWords)
  const may = useMay()
  const hasRoom = useMediaQuery('(min-width: 1200px)', true, { getInitialValueInEffect: false })
  const segment = useRead(contract.segments.read, { key: keyId, params: { ...input } })
  const children = useChildren(keyId, input, child !== 'segment')
  const at = children.data?.findIndex(({ id }) => id === child) ?? -1
  const chunk = children.data?.[at] ?? null
  const close = () => onChild(null)
  const label = child === 'segment' ? t('editSegment') : t('childEditor')
  let editor: ReactNode = <SkeletonRows rows={6} />
  if (child === 'segment' && !may(contract.adjacent.updateSegment))
    editor = <RoleNote entry={contract.adjacent.updateSegment} />
  else if (child === 'new' && !may(contract.segments.createChildChunk))
    editor = <RoleNote entry={contract.segments.createChildChunk} />
  else if (child === 'segment') {
    if (segment.data)
      editor = (
        <SegmentEditor
          input={input}
          keyId={keyId}
          record={record}
          segment={segment.data.data}
          hasChildren={segment.data.doc_form === 'hierarchical_model'}
          onClose={close}
        />
      )
    else if (segment.error) editor = refused(segment.error.problem, t('segmentWhat'), () => void segment.refetch())
  } else if (chunk || child === 'new')
    editor = (
      <ChildEditor
        input={input}
        keyId={keyId}
        workspace={workspace}
        record={record}
        chunk={chunk}
        number={at + 1}
        canDelete={offers.includes('deleteChildChunk')}
        onClose={close}
        onSaved={({ id }) => onChild(id)}
      />
    )
  else if (children.error) editor = refused(children.error.problem, t('childWhat'), () => void children.refetch())
  else if (children.data) editor = <p className={classes.fields}>{t('childUnknown')}</p>
  return hasRoom ? (
    <SidePane label={label} gripLabel={t('grip')} name="chunk" initial={428}>
      {editor}
    </SidePane>
  ) : (
    <Sheet opened onClose={close} label={label} position="right" size={480}>
      {editor}
    </Sheet>
  )
}

const refused = (problem: Problem, what: string, onRetry: () => void) => (
  <div className={classes.fields}>
    <ProblemNote problem={problem} what={what} onRetry={onRetry} />
  </div>
)
