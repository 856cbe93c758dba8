import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { useReturnFocus } from '../hooks/useReturnFocus.ts'
import { componentMessages } from '../i18n/messages.ts'
import { useMessages } from '../i18n/useMessages.ts'

export interface DialogProps {
  title: ReactNode
  size?: 'md' | 'lg' | 'xl'
  onClose: () => void
  children: ReactNode
}

/** A dialog that is open as long as it is rendered. */
export function Dialog({ title, size = 'md', onClose, children }: DialogProps) {
  const t = useMessages(componentMessages)
  useReturnFocus()
  return (
    <Modal opened onClose={onClose} title={title} size={size} closeButtonProps={{ 'aria-label': t('close') }}>
      {children}
    </Modal>
  )
}
