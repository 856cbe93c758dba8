import { Button } from '@mantine/core'
import { FileOrTextInput } from '../../../components/forms/FileOrTextInput.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import classes from './TableImport.module.css'
import { tableImportMessages } from './messages.ts'
import { type TableReading, TableReadingChoice } from './TableReadingChoice.tsx'
import type { TableRead } from './tableWorkerMessages.ts'
import type { ImportSource } from './useImportTable.ts'

export interface TableSourceProps {
  source: ImportSource | null
  /** The text in the field for pasting. */
  pasted: string
  onPasted: (text: string) => void
  table: TableRead | null
  isReading: boolean
  readError: string | null
  onLoad: (name: string, data: ArrayBuffer | string) => void
  onReading: (reading: TableReading) => void
  onDrop: () => void
}

const DELIMITER_MESSAGE_KEYS: Record<string, 'comma' | 'tab' | 'semicolon' | 'bar' | 'jsonl' | 'xlsx'> = {
  jsonl: 'jsonl',
  xlsx: 'xlsx',
  ',': 'comma',
  '\t': 'tab',
  ';': 'semicolon',
  '|': 'bar',
}

/** The source of the table, and its parse result. */
export function TableSource(props: TableSourceProps) {
  const { source, pasted, onPasted, table, isReading, readError, onLoad, onReading, onDrop } = props
  const t = useMessages(tableImportMessages)
  if (!source)
    return (
      <div className={classes.source}>
        <p className={classes.why}>{t('tableWhy')}</p>
        <FileOrTextInput
          labels={{ drop: t('dropHelp'), paste: t('paste'), usePasted: t('usePaste') }}
          placeholder={t('pasteHelp')}
          pasted={pasted}
          onPasted={onPasted}
          onFile={(file) => void file.arrayBuffer().then((data) => onLoad(file.name, data))}
          onText={(text) => onLoad(t('pasted'), text)}
        />
      </div>
    )
  return (
    <div className={classes.source}>
      <div className={classes.file}>
        <b>{source.name}</b>
        {table ? (
          <span>
            {t('read', {
              rows: table.rows,
              columns: table.heads.length,
              delimiter: t(
                `delimiters.${table.heads.length > 1 || table.workbook ? (DELIMITER_MESSAGE_KEYS[table.delimiter] ?? 'other') : 'other'}`,
              ),
            })}
          </span>
        ) : null}
        {table ? <TableReadingChoice {...table} onChange={onReading} /> : null}
        <Button variant="default" onClick={onDrop}>
          {t('otherTable')}
        </Button>
      </div>
      {isReading ? (
        <p role="status" className={classes.why}>
          {t('reading')}
        </p>
      ) : null}
      {readError ? <p className={classes.wrong}>{t('unreadable', { reason: readError })}</p> : null}
      {table && table.rows > 0 ? <TableSample table={table} /> : null}
    </div>
  )
}

function TableSample({ table: { heads, sample } }: { table: TableRead }) {
  const t = useMessages(tableImportMessages)
  return (
    <div className={classes.sample} role="region" aria-label={t('firstRows')} tabIndex={0}>
      <table aria-label={t('firstRows')}>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sample.map((row, index) => (
            <tr key={index}>
              {heads.map((head, column) => (
                <td key={head} dir="auto">
                  {row[column]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
