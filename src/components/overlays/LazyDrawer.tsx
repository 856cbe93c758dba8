import { Suspense, useState } from 'react'
import { lazyWithPreload } from '../layout/lazyWithPreload.tsx'
import type { DrawerContentProps } from './DrawerContent.tsx'

const LazyDrawerContent = lazyWithPreload(async () => (await import('./DrawerContent.tsx')).DrawerContent)

/** Replaces a pane on a narrow screen. Loaded on first use. */
export function LazyDrawer(props: DrawerContentProps) {
  const [hasBeenOpened, setHasBeenOpened] = useState(props.opened)
  if (props.opened && !hasBeenOpened) setHasBeenOpened(true)
  return <Suspense>{hasBeenOpened ? <LazyDrawerContent {...props} /> : null}</Suspense>
}
