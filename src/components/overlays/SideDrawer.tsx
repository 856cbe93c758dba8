import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import { componentMessages } from '../i18n/messages.ts'
import { useMessages } from '../i18n/useMessages.ts'

export interface SideDrawerProps {
  title: ReactNode
  onClose: () => void
  children: ReactNode
}

/** A drawer at the right that is open as long as it is rendered: for forms and details beside a list. */
export function SideDrawer({ title, onClose, children }: SideDrawerProps) {
  const t = useMessages(componentMessages)
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={560}
      title={title}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {children}
    </Drawer>
  )
}
