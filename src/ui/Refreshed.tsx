import { ActionIcon } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { uiWords } from './messages.ts'
import classes from './Refreshed.module.css'
import { Tooltip } from './Tooltip.tsx'
import { useWords } from './words.ts'

/** How fresh a list is, and the button that reads it again; the old rows stay while it turns. */
export function Refreshed({
  children,
  busy,
  onRefresh,
}: {
  children: ReactNode
  busy: boolean
  onRefresh: () => void
}) {
  const t = useWords(uiWords)
  return (
    <div className={classes.refreshed}>
      <span>{children}</span>
      <Tooltip label={t('refresh')}>
        <ActionIcon aria-label={t('refresh')} onClick={onRefresh}>
          <IconRefresh size={16} className={busy ? classes.turning : undefined} />
        </ActionIcon>
      </Tooltip>
    </div>
  )
}
