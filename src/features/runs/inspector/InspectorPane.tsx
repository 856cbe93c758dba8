import { type ReactNode, useState } from 'react'
import { useLocalStorage, useMediaQuery } from '@mantine/hooks'
import { LazyDrawer } from '../../../components/overlays/LazyDrawer.tsx'
import { SplitPane } from '../../../components/layout/SplitPane.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { runMessages } from '../detail/messages.ts'

interface InspectorPaneProps {
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

const READ_IMMEDIATELY = { getInitialValueInEffect: false }

interface InspectorPaneState {
  /** True for a pane next to the page, false for a drawer over it. */
  fitsBeside: boolean
  isNarrow: boolean
  isOpen: boolean
  open: () => void
  toggle: () => void
}

/** Whether the inspector is open: stored under `name` for a pane, not stored for a drawer. */
export function useInspectorPane(name: string): InspectorPaneState {
  const fitsBeside = useMediaQuery('(min-width: 1200px)', true, READ_IMMEDIATELY)
  const isNarrow = useMediaQuery('(max-width: 640px)', false, READ_IMMEDIATELY)
  const [isPane, setPane] = useLocalStorage({
    key: `loupe-${name}-inspector`,
    defaultValue: true,
    getInitialValueInEffect: false,
  })
  const [isDrawer, setDrawer] = useState(false)
  const isOpen = fitsBeside ? isPane : isDrawer
  const set = fitsBeside ? setPane : setDrawer
  return { fitsBeside, isNarrow, isOpen, open: () => set(true), toggle: () => set(!isOpen) }
}
