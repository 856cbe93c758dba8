import { NativeSelect } from '@mantine/core'
import type { TableContent } from '#domain/tables/readTable.ts'
import type { TextEncoding } from '#domain/text/decodeText.ts'
import { EncodingSelect } from '../../../components/forms/EncodingSelect.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { tableImportMessages } from './messages.ts'

/** How a file was read, to read it in another way. The sheet is null for the first one of a workbook. */
export type TableReading = { encoding: TextEncoding | null; sheet: string | null }

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
