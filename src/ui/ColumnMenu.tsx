import { ActionIcon, Menu } from '@mantine/core'
import { IconColumns } from '@tabler/icons-react'
import { uiWords } from './messages.ts'
import type { Columns } from './useColumns.ts'
import { useWords } from './words.ts'

/** Chooses the columns of a table. */
export function ColumnMenu<Row>({ columns }: { columns: Columns<Row> }) {
  const t = useWords(uiWords)
  return (
    <Menu closeOnItemClick={false} position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={t('columns')} title={t('columns')}>
          <IconColumns size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {columns.all.slice(1).map(({ head }) => (
          <Menu.CheckboxItem key={head} checked={columns.isShown(head)} onChange={() => columns.toggle(head)}>
            {head}
          </Menu.CheckboxItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
