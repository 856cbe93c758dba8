import { Group } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { componentMessages } from '../i18n/messages.ts'
import { useMessages } from '../i18n/useMessages.ts'

/** Replaces a control that the person may not use: names the permission, and the lowest role that has it. */
export function PermissionNote({ permission, role }: { permission: string; role: string }) {
  const t = useMessages(componentMessages)
  return (
    <Group component="p" wrap="nowrap" gap="sm" px="md" py={10} c="dimmed" fz={13}>
      <IconLock size={14} aria-hidden />
      <span>{t('roleNote', { permission, role })}</span>
    </Group>
  )
}
