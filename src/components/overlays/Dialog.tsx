import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { useReturnFocus } from '../hooks/useReturnFocus.ts'
import { componentMessages } from '../i18n/messages.ts'
import { useMessages } from '../i18n/useMessages.ts'

export interface DialogProps {
  title: ReactNode
  size?: 'md' | 'lg' | 'xl'
  /** Has input or work that Escape or a click outside would lose: then only its buttons close it. */
  isDirty?: boolean
  onClose: () => void
  children: ReactNode
}

export function Dialog({ title, size = 'md', isDirty = false, onClose, children }: DialogProps) {
  const t = useMessages(componentMessages)
  useReturnFocus()
  return (
    <Modal
      opened
      closeOnEscape={!isDirty}
      closeOnClickOutside={!isDirty}
      onClose={onClose}
      title={title}
      size={size}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {children}
    </Modal>
  )
}
