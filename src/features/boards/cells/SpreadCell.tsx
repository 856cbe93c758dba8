import { ActionIcon, Menu } from '@mantine/core'
import { IconLayoutGridAdd } from '@tabler/icons-react'
import { useState } from 'react'
import { runInsightEndpoints } from '#contract/console/runInsights.ts'
import { savedItemEndpoints } from '#contract/console/savedItems.ts'
import { Tooltip } from '../../../components/overlays/Tooltip.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useRead } from '../../../client/query.ts'
import { useCanPinVersion } from '../../runs/version/usePinnedVersion.ts'
import type { CellVariant } from '../board.ts'
import { boardMessages } from '../messages.ts'
import { toBoardInput } from '../request/SavedInputs.tsx'
import type { CellApp } from './cellApp.ts'

export interface SpreadCellProps {
  app: CellApp
  letter: string
  /** How many cells the board still has room for. */
  freeCells: number
  onSpread: (variants: CellVariant[]) => void
}

/** Adds a cell for each version of an app, or for each of its saved inputs: what differs is the axis of the board. */
export function SpreadCell({ app, letter, freeCells, onSpread }: SpreadCellProps) {
  const t = useMessages(boardMessages)
  const [isOpen, setOpen] = useState(false)
  const canPin = useCanPinVersion(app.key)
  const versionsRead = useRead(
    runInsightEndpoints.listVersions,
    { query: { key: app.key.id } },
    { enabled: isOpen && canPin },
  )
  const setsRead = useRead(
    savedItemEndpoints.listSavedItems,
    { query: { kind: 'input_set', workspace: app.workspace.id, about: app.key.id } },
    { enabled: isOpen },
  )
  const versions = (versionsRead.data?.data ?? []).map(({ workflow_id }): CellVariant => ({ workflow_id }))
  const sets = (setsRead.data?.data ?? []).map(({ value }): CellVariant => ({ own: toBoardInput(value) }))
  const label = t('spread', { letter })
  return (
    <Menu position="bottom-end" opened={isOpen} onChange={setOpen}>
      <Menu.Target>
        <Tooltip label={label}>
          <ActionIcon aria-label={label}>
            <IconLayoutGridAdd size={15} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('spreadRoom', { count: freeCells })}</Menu.Label>
        {canPin ? (
          <Menu.Item disabled={versions.length === 0} onClick={() => onSpread(versions)}>
            {t('spreadVersions', { count: versions.length })}
          </Menu.Item>
        ) : null}
        <Menu.Item disabled={sets.length === 0} onClick={() => onSpread(sets)}>
          {t('spreadInputs', { count: sets.length })}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
