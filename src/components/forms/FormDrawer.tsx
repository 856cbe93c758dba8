import type { ReactNode } from 'react'
import { SideDrawer } from '../overlays/SideDrawer.tsx'
import { type FormProps, InlineForm } from './InlineForm.tsx'

export interface FormDrawerProps extends FormProps {
  title: ReactNode
  /** Width, px. */
  size?: number
  /** Called by Cancel, Close and, unless input would be lost, by Escape and a click outside. */
  onClose: () => void
  /** Below the form. */
  footer?: ReactNode
}

/** Open as long as it is rendered: `{isOpen ? <InvitePerson onClose={…} /> : null}`. */
export function FormDrawer({ title, size, onClose, footer, ...form }: FormDrawerProps) {
  return (
    <SideDrawer title={title} {...(size ? { size } : {})} isDirty={form.form.isUnsaved ?? false} onClose={onClose}>
      <InlineForm {...form} onCancel={onClose} hasLeaveGuard />
      {footer}
    </SideDrawer>
  )
}
