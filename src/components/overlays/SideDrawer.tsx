import { Drawer } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useReturnFocus } from '../hooks/useReturnFocus.ts'
import { componentMessages } from '../i18n/messages.ts'
import { useMessages } from '../i18n/useMessages.ts'

export interface SideDrawerProps {
  title: ReactNode
  /** Width, px. */
  size?: number
  /** After input, only its buttons close it: Escape and a click outside would lose what was typed. */
  keepsInput?: boolean
  onClose: () => void
  children: ReactNode
}

/** A drawer at the right that is open as long as it is rendered: for forms and details beside a list. */
export function SideDrawer({ title, size = 560, keepsInput = false, onClose, children }: SideDrawerProps) {
  const t = useMessages(componentMessages)
  useReturnFocus()
  const [hasInput, setHasInput] = useState(false)
  const isKept = keepsInput && hasInput
  return (
    <Drawer
      opened
      onChange={() => setHasInput(true)}
      closeOnEscape={!isKept}
      closeOnClickOutside={!isKept}
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
