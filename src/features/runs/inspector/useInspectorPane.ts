import { useLocalStorage, useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'

const READ_IMMEDIATELY = { getInitialValueInEffect: false }

export interface InspectorPaneState {
  /** Whether it stands beside the page, or lies over it as a drawer. */
  fitsBeside: boolean
  isNarrow: boolean
  isOpen: boolean
  open: () => void
  toggle: () => void
}

/** Whether the inspector of a page is open: beside the page that is remembered by `name`, over it it is not. */
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
