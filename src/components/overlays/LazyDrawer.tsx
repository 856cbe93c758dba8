import { type ReactNode, Suspense, useState } from 'react'
import { lazyWithPreload } from '../layout/lazyWithPreload.tsx'

const LazyDrawerContent = lazyWithPreload(async () => (await import('./DrawerContent.tsx')).DrawerContent)

export interface LazyDrawerProps {
  opened: boolean
  onClose: () => void
  /** The dialog's name. */
  label: string
  position: 'left' | 'right' | 'bottom'
  size: number | string
  children: ReactNode
}

/** What a narrow screen lays over the page in place of a pane. It is loaded when it is first opened. */
export function LazyDrawer(props: LazyDrawerProps) {
  const [hasBeenOpened, setHasBeenOpened] = useState(props.opened)
  if (props.opened && !hasBeenOpened) setHasBeenOpened(true)
  return <Suspense>{hasBeenOpened ? <LazyDrawerContent {...props} /> : null}</Suspense>
}
