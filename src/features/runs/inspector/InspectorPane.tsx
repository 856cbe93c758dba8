import type { ReactNode } from 'react'
import { LazyDrawer } from '../../../components/overlays/LazyDrawer.tsx'
import { SplitPane } from '../../../components/layout/SplitPane.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { runMessages } from '../detail/messages.ts'
import type { InspectorPaneState } from './useInspectorPane.ts'

export interface InspectorPaneProps {
  /** The storage key of the width. */
  name: string
  pane: InspectorPaneState
  children: ReactNode
}

/** The inspector: a pane at the right if it fits, otherwise a drawer. */
export function InspectorPane({ name, pane, children }: InspectorPaneProps) {
  const t = useMessages(runMessages)
  if (!pane.fitsBeside)
    return (
      <LazyDrawer
        opened={pane.isOpen}
        onClose={pane.toggle}
        label={t('inspector')}
        position={pane.isNarrow ? 'bottom' : 'right'}
        size={pane.isNarrow ? '75%' : 460}
      >
        {children}
      </LazyDrawer>
    )
  if (!pane.isOpen) return null
  return (
    <SplitPane label={t('inspector')} resizeLabel={t('resize')} storageKey={name} initialWidthPx={428}>
      {children}
    </SplitPane>
  )
}
