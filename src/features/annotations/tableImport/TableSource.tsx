import '@mantine/dropzone/styles.css'
import { Button, Textarea } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import { IconUpload } from '@tabler/icons-react'
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

/** A longer pasted table is not shown in the text field. */
const MAX_PASTE_FIELD_CHARS = 50_000

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
        <Dropzone
          multiple={false}
          className={classes.drop}
          inputProps={{ 'aria-label': t('dropHelp') }}
          onDrop={([file]: File[]) => {
            if (file) void file.arrayBuffer().then((data) => onLoad(file.name, data))
          }}
        >
          <IconUpload size={18} aria-hidden="true" />
          <span>{t('dropHelp')}</span>
        </Dropzone>
        <Textarea
          label={t('paste')}
          placeholder={t('pasteHelp')}
          value={pasted}
          onChange={(event) => onPasted(event.currentTarget.value)}
          onPaste={(event) => {
            const text = event.clipboardData.getData('text')
            // A text field of that length would freeze the page; parse it directly instead.
            if (text.length < MAX_PASTE_FIELD_CHARS || pasted !== '') return
            event.preventDefault()
            onLoad(t('pasted'), text)
          }}
          minRows={3}
          maxRows={8}
          autosize
          spellCheck={false}
          classNames={{ input: classes.pasted }}
        />
        <div>
          <Button variant="default" disabled={pasted.trim() === ''} onClick={() => onLoad(t('pasted'), pasted)}>
            {t('usePaste')}
          </Button>
        </div>
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
