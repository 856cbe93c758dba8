import { ActionIcon, Group } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { componentMessages } from '../i18n/messages.ts'
import { Tooltip } from '../overlays/Tooltip.tsx'
import { useMessages } from '../i18n/useMessages.ts'

/** Shows the age of a list and a button that reloads it; the old rows stay visible meanwhile. */
export function RefreshControl({
  children,
  isBusy,
  onRefresh,
}: {
  children: ReactNode
  isBusy: boolean
  onRefresh: () => void
}) {
  const t = useMessages(componentMessages)
  return (
    <Group wrap="nowrap" gap="xs" ml="auto" c="dimmed" fz="sm">
      <span>{children}</span>
      <Tooltip label={t('refresh')}>
        <ActionIcon aria-label={t('refresh')} onClick={onRefresh}>
          <IconRefresh size={16} data-turning={isBusy || undefined} />
        </ActionIcon>
      </Tooltip>
    </Group>
  )
}
