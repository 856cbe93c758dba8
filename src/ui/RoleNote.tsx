import { IconLock } from '@tabler/icons-react'
import type { Endpoint } from '#contract/endpoint.ts'
import { ROLES, mayCall } from '#contract/roles.ts'
import { uiWords } from './messages.ts'
import classes from './RoleNote.module.css'
import { useWords } from './words.ts'

/** In place of what calls an entry, for somebody who may not: what it is, and whose it is. */
export function RoleNote({ entry }: { entry: Pick<Endpoint, 'permission'> }) {
  const t = useWords(uiWords)
  const least = ROLES.find((role) => mayCall(role, entry)) ?? 'admin'
  return (
    <p className={classes.note}>
      <IconLock size={14} aria-hidden />
      <span>{t('roleNote', { permission: entry.permission, role: least })}</span>
    </p>
  )
}
