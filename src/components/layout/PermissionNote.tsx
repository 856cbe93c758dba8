import { IconLock } from '@tabler/icons-react'
import type { Endpoint } from '#contract/endpoint.ts'
import { ROLES, canCall } from '#contract/permissions.ts'
import { componentMessages } from '../i18n/messages.ts'
import classes from './PermissionNote.module.css'
import { useMessages } from '../i18n/useMessages.ts'

/** In place of what calls an entry, for somebody who may not: what it is, and whose it is. */
export function PermissionNote({ entry }: { entry: Pick<Endpoint, 'permission'> }) {
  const t = useMessages(componentMessages)
  const requiredRole = ROLES.find((role) => canCall(role, entry)) ?? 'admin'
  return (
    <p className={classes.note}>
      <IconLock size={14} aria-hidden />
      <span>{t('roleNote', { permission: entry.permission, role: requiredRole })}</span>
    </p>
  )
}
