import type { ReactNode } from 'react'
import { Sheet } from '../ui/Sheet.tsx'
import { SidePane } from '../ui/SidePane.tsx'
import { useWords } from '../ui/words.ts'
import { runWords } from './messages.ts'
import type { InspectorPaneState } from './useInspectorPane.ts'

export interface InspectorPaneProps {
  /** Under this name the width is kept. */
  name: string
  pane: InspectorPaneState
  children: ReactNode
}

/** The place of the inspector: at the right of the page where there is room, else over it. */
export function InspectorPane({ name, pane, children }: InspectorPaneProps) {
  const t = useWords(runWords)
  if (!pane.hasRoom)
    return (
      <Sheet
        opened={pane.isOpen}
        onClose={pane.toggle}
        label={t('inspector')}
        position={pane.isNarrow ? 'bottom' : 'right'}
        size={pane.isNarrow ? '75%' : 460}
      >
        {children}
      </Sheet>
    )
  if (!pane.isOpen) return null
  return (
    <SidePane label={t('inspector')} gripLabel={t('resize')} name={name} initial={428}>
      {children}
    </SidePane>
  )
}
