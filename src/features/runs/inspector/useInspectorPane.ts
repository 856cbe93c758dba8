import { useLocalStorage, useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'

const READ_IMMEDIATELY = { getInitialValueInEffect: false }

export interface InspectorPaneState {
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
