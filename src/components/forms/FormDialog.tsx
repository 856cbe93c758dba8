import type { ReactNode } from 'react'
import { Dialog } from '../overlays/Dialog.tsx'
import { type FormProps, InlineForm } from './InlineForm.tsx'

export interface FormDialogProps extends FormProps {
  title: ReactNode
  size?: 'md' | 'lg' | 'xl'
  /** Called by Cancel, Close and, unless input would be lost, by Escape and a click outside. */
  onClose: () => void
}

export function FormDialog({ title, size, onClose, ...form }: FormDialogProps) {
  return (
    <Dialog title={title} {...(size ? { size } : {})} isDirty={form.form.isUnsaved ?? false} onClose={onClose}>
      <InlineForm {...form} onCancel={onClose} hasLeaveGuard />
    </Dialog>
  )
}
