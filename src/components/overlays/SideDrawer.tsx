import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import { useReturnFocus } from '../hooks/useReturnFocus.ts'
import { componentMessages } from '../i18n/messages.ts'
import { useMessages } from '../i18n/useMessages.ts'

export interface SideDrawerProps {
  title: ReactNode
  /** Width, px. */
  size?: number
  /** Has input that Escape or a click outside would lose: then only its buttons close it. */
  isDirty?: boolean
  onClose: () => void
  children: ReactNode
}

/** A drawer at the right that is open as long as it is rendered: for forms and details next to a list. */
export function SideDrawer({ title, size = 560, isDirty = false, onClose, children }: SideDrawerProps) {
  const t = useMessages(componentMessages)
  useReturnFocus()
  return (
    <Drawer
      opened
      closeOnEscape={!isDirty}
      closeOnClickOutside={!isDirty}
      onClose={onClose}
      position="right"
      size={size}
      title={title}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {children}
    </Drawer>
  )
}
