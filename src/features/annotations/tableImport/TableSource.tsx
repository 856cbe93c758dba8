import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import type { TableContent } from '#domain/tables/readTable.ts'
import { Table } from '../../../components/data/Table.tsx'
import { FileOrTextInput } from '../../../components/forms/FileOrTextInput.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { tableImportMessages } from './messages.ts'
import type { TableReading } from './tableWorker.ts'
import type { ImportTable } from './useImportTable.ts'
import { EncodingSelect } from '../../../components/forms/EncodingSelect.tsx'

/** The source of the table, and its parse result. */
export function TableSource({ source, pasted, table, isReading, readError, ...imported }: ImportTable) {
  const t = useMessages(tableImportMessages)
  if (!source)
    return (
      <Stack gap="sm">
        <Text fz="sm" c="dimmed">
          {t('tableWhy')}
        </Text>
        <FileOrTextInput
          labels={{ drop: t('dropHelp'), paste: t('paste'), usePasted: t('usePaste') }}
          placeholder={t('pasteHelp')}
          pasted={pasted}
          onPasted={imported.setPasted}
          onFile={(file) => void file.arrayBuffer().then((data) => imported.load(file.name, data))}
          onText={(text) => imported.load(t('pasted'), text)}
        />
      </Stack>
    )
  return (
    <Stack gap="sm">
      <Group gap="md" fz="sm" c="dimmed">
        <Text span fz="sm" fw={600} c="var(--text)" style={{ overflowWrap: 'anywhere' }}>
          {source.name}
        </Text>
        {table ? (
          <>
            <span>
              {t('read', {
                rows: table.rows,
                columns: table.heads.length,
                delimiter: t(
                  `delimiters.${(table.heads.length > 1 || table.workbook) && isDelimiter(table.delimiter) ? table.delimiter : 'other'}`,
                ),
              })}
            </span>
            <TableReadingChoice {...table} onChange={imported.readAgain} />
          </>
        ) : null}
        <Button variant="default" onClick={imported.drop}>
          {t('otherTable')}
        </Button>
      </Group>
      {isReading ? (
        <Text role="status" fz="sm" c="dimmed">
          {t('reading')}
        </Text>
      ) : null}
      {readError ? (
        <Text fz="sm" c="var(--failed-fg)">
          {t('unreadable', { reason: readError })}
        </Text>
      ) : null}
      {table && table.rows > 0 ? (
        <Table
          label={t('firstRows')}
          columns={table.heads.map((header, column) => ({
            header,
            cell: ([, cells]: [number, string[]]) => (
              <Text display="block" maw={260} fz="inherit" span truncate dir="auto">
                {cells[column]}
              </Text>
            ),
          }))}
          rows={[...table.sample.entries()]}
          getKey={([index]) => String(index)}
        />
      ) : null}
    </Stack>
  )
}

const { delimiters } = tableImportMessages
const isDelimiter = (text: string): text is keyof typeof delimiters => text in delimiters

interface TableReadingChoiceProps extends Pick<TableContent, 'encoding' | 'workbook'> {
  onChange: (reading: TableReading) => void
}

/** The encoding of a text, or the sheet of a workbook. */
export function TableReadingChoice({ encoding, workbook, onChange }: TableReadingChoiceProps) {
  const t = useMessages(tableImportMessages)
  if (encoding)
    return <EncodingSelect value={encoding} onChange={(chosen) => onChange({ encoding: chosen, sheet: null })} />
  if (!workbook || workbook.sheets.length < 2) return null
  return (
    <NativeSelect
      aria-label={t('sheet')}
      value={workbook.sheet}
      data={workbook.sheets}
      onChange={(event) => onChange({ encoding: null, sheet: event.currentTarget.value })}
    />
  )
}
