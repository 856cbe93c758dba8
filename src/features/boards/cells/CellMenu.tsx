import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useState } from 'react'
import { runInsightEndpoints } from '#contract/console/runInsights.ts'
import { savedItemEndpoints } from '#contract/console/savedItems.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useRead } from '../../../client/query.ts'
import { useCanPinVersion } from '../../runs/version/usePinnedVersion.ts'
import type { CellVariant } from '../board.ts'
import { boardMessages } from '../messages.ts'
import { toBoardInput } from '../request/SavedInputs.tsx'
import type { CellApp } from './cellApp.ts'

export interface CellMenuActions {
  onCopy: (() => void) | null
  /** Adds a cell for each version or saved input; null for a finished run and on a full board. */
  spread: { freeCells: number; add: (variants: CellVariant[]) => void } | null
  onRemove: () => void
}

export interface CellMenuProps {
  app: CellApp | null
  letter: string
  actions: CellMenuActions
}

/** What is done with a cell less often: more cells like it, and its removal. */
export function CellMenu({ app, letter, actions: { onCopy, spread, onRemove } }: CellMenuProps) {
  const t = useMessages(boardMessages)
  const [isOpen, setOpen] = useState(false)
  return (
    <Menu position="bottom-end" opened={isOpen} onChange={setOpen}>
      <Menu.Target>
        <ActionIcon aria-label={t('moreFor', { name: letter })}>
          <IconDots size={15} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {onCopy ? <Menu.Item onClick={onCopy}>{t('copyCell', { letter })}</Menu.Item> : null}
        {app && spread ? <SpreadItems app={app} isOpen={isOpen} spread={spread} /> : null}
        {onCopy ? <Menu.Divider /> : null}
        <Menu.Item onClick={onRemove}>{t('removeCell', { letter })}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

interface SpreadItemsProps {
  app: CellApp
  /** The menu is open: only then is there anything to load. */
  isOpen: boolean
  spread: NonNullable<CellMenuActions['spread']>
}

/** Adds a cell for each version of an app, or for each of its saved inputs: what differs is the axis of the board. */
function SpreadItems({ app, isOpen, spread }: SpreadItemsProps) {
  const t = useMessages(boardMessages)
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
  return (
    <>
      <Menu.Label>{t('spreadRoom', { count: spread.freeCells })}</Menu.Label>
      {canPin ? (
        <Menu.Item disabled={versions.length === 0} onClick={() => spread.add(versions)}>
          {t('spreadVersions', { count: versions.length })}
        </Menu.Item>
      ) : null}
      <Menu.Item disabled={sets.length === 0} onClick={() => spread.add(sets)}>
        {t('spreadInputs', { count: sets.length })}
      </Menu.Item>
    </>
  )
}
