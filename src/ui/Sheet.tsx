import { type ReactNode, Suspense, useState } from 'react'
import { part } from './part.tsx'

const Box = part(async () => (await import('./SheetBox.tsx')).SheetBox)

export interface SheetProps {
  opened: boolean
  onClose: () => void
  /** The dialog's name. */
  label: string
  position: 'left' | 'right' | 'bottom'
  size: number | string
  children: ReactNode
}

/** What a narrow screen lays over the page in place of a pane. It is loaded when it is first opened. */
export function Sheet(props: SheetProps) {
  const [wasOpened, setWasOpened] = useState(props.opened)
  if (props.opened && !wasOpened) setWasOpened(true)
  return <Suspense>{wasOpened ? <Box {...props} /> : null}</Suspense>
}
