import '@mantine/dropzone/styles.css'
import { Button, NativeSelect, Textarea } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import { IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { useWords } from '../../ui/words.ts'
import classes from './Make.module.css'
import { type Encoding, ENCODINGS } from './decode.ts'
import { tableWords } from './messages.ts'
import type { TableRead } from './protocol.ts'
import type { Source } from './useTable.ts'

export interface TableSourceProps {
  source: Source | null
  table: TableRead | null
  isReading: boolean
  unread: string | null
  onLoad: (name: string, data: ArrayBuffer | string) => void
  onEncoding: (encoding: Encoding) => void
  onDrop: () => void
}

/** Characters of a pasted table that are not laid out as text any more. */
const LONG = 50_000

const DELIMITERS: Record<string, 'comma' | 'tab' | 'semicolon' | 'bar' | 'jsonl'> = {
  jsonl: 'jsonl',
  ',': 'comma',
  '\t': 'tab',
  ';': 'semicolon',
  '|': 'bar',
}

/** Where the table comes from, and how it was read. */
export function TableSource({ source, table, isReading, unread, onLoad, onEncoding, onDrop }: TableSourceProps) {
  const t = useWords(tableWords)
  const [pasted, setPasted] = useState('')
  if (!source)
    return (
      <div className={classes.source}>
        <p className={classes.why}>{t('tableWhy')}</p>
        <Dropzone
          multiple={false}
          className={classes.drop}
          inputProps={{ 'aria-label': t('drop') }}
          onDrop={([file]: File[]) => {
            if (file) void file.arrayBuffer().then((data) => onLoad(file.name, data))
          }}
        >
          <IconUpload size={18} aria-hidden="true" />
          <span>{t('drop')}</span>
        </Dropzone>
        <Textarea
          label={t('paste')}
          placeholder={t('pasteHelp')}
          value={pasted}
          onChange={(event) => setPasted(event.currentTarget.value)}
          onPaste={(event) => {
            const text = event.clipboardData.getData('text')
            // A field of that length would stop the page; it is read at once instead.
            if (text.length < LONG || pasted !== '') return
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
              delimiter: t(`delimiters.${table.heads.length > 1 ? (DELIMITERS[table.delimiter] ?? 'other') : 'other'}`),
            })}
          </span>
        ) : null}
        {table?.encoding ? (
          <NativeSelect
            aria-label={t('encoding')}
            value={table.encoding}
            data={[...ENCODINGS]}
            onChange={(event) => onEncoding(event.currentTarget.value as Encoding)}
          />
        ) : null}
        <Button variant="default" onClick={onDrop}>
          {t('otherTable')}
        </Button>
      </div>
      {isReading ? (
        <p role="status" className={classes.why}>
          {t('reading')}
        </p>
      ) : null}
      {unread ? <p className={classes.wrong}>{t('unreadable', { reason: unread })}</p> : null}
      {table && table.rows > 0 ? <Sample table={table} /> : null}
    </div>
  )
}

function Sample({ table: { heads, sample } }: { table: TableRead }) {
  const t = useWords(tableWords)
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
