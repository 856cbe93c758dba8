import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'

export interface DrawerContentProps {
  opened: boolean
  onClose: () => void
  /** The dialog's name. */
  label: string
  position: 'left' | 'right' | 'bottom'
  size: number | string
  children: ReactNode
}

/**
 * The drawer itself. The label belongs on the dialog: Drawer would put it on a wrapper, where screen readers ignore
 * it.
 */
export function DrawerContent({ opened, onClose, label, position, size, children }: DrawerContentProps) {
  return (
    <Drawer.Root opened={opened} onClose={onClose} position={position} size={size}>
      <Drawer.Overlay />
      <Drawer.Content aria-label={label} style={position === 'bottom' ? { borderRadius: '14px 14px 0 0' } : {}}>
        <Drawer.Body display="flex" h="100%" p={0} style={{ flexDirection: 'column' }}>
          {children}
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  )
}
