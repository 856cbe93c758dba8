import { ActionIcon, Menu } from '@mantine/core'
import { IconColumns } from '@tabler/icons-react'
import { componentMessages } from '../i18n/messages.ts'
import type { ColumnVisibility } from './useColumnVisibility.ts'
import { useMessages } from '../i18n/useMessages.ts'

/** Chooses the columns of a table. */
export function ColumnMenu<Row>({ columns }: { columns: ColumnVisibility<Row> }) {
  const t = useMessages(componentMessages)
  return (
    <Menu closeOnItemClick={false} position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={t('columns')} title={t('columns')}>
          <IconColumns size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {columns.all.slice(1).map(({ id, header }) => (
          <Menu.CheckboxItem key={id} checked={columns.isVisible(id)} onChange={() => columns.toggle(id)}>
            {header}
          </Menu.CheckboxItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
