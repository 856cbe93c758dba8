import { useLocalStorage, useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'

const AT_ONCE = { getInitialValueInEffect: false }

export interface InspectorPaneState {
  /** Whether it stands beside the page, or lies over it as a drawer. */
  hasRoom: boolean
  isNarrow: boolean
  isOpen: boolean
  open: () => void
  toggle: () => void
}

/** Whether the inspector of a page is open: beside the page that is remembered by `name`, over it it is not. */
export function useInspectorPane(name: string): InspectorPaneState {
  const hasRoom = useMediaQuery('(min-width: 1200px)', true, AT_ONCE)
  const isNarrow = useMediaQuery('(max-width: 640px)', false, AT_ONCE)
  const [isPane, setPane] = useLocalStorage({
    key: `loupe-${name}-inspector`,
    defaultValue: true,
    getInitialValueInEffect: false,
  })
  const [isDrawer, setDrawer] = useState(false)
  const isOpen = hasRoom ? isPane : isDrawer
  const set = hasRoom ? setPane : setDrawer
  return { hasRoom, isNarrow, isOpen, open: () => set(true), toggle: () => set(!isOpen) }
}
