import { Group, NativeSelect, Paper, Text, TextInput } from '@mantine/core'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { parseFileEntries } from '../../runs/inputs/inputFiles.ts'
import { InputFilesField, type UploadTarget } from '../../runs/inputs/InputFilesField.tsx'
import type { InputField } from '../../runs/inputs/inputFields.ts'
import classes from './TableImport.module.css'
import { getApiName } from './columnMapping.ts'
import { tableImportMessages } from './messages.ts'
import type { ImportTable } from './useImportTable.ts'
import blocks from '../../../components/layout/Blocks.module.css'

interface MappingFieldsProps {
  fields: readonly InputField[]
  imported: ImportTable
  /** Null if uploads are not supported. */
  upload: UploadTarget | null
}

const NO_COLUMN = 'none'
const SAME_FOR_ALL = 'same'

/** Maps columns, or a constant text, to the inputs of the app. */
export function MappingFields({ fields, imported: { table, mapping, choose }, upload }: MappingFieldsProps) {
  const t = useMessages(tableImportMessages)
  if (fields.length === 0)
    return (
      <Text fz="sm" c="dimmed">
        {t('noControls')}
      </Text>
    )
  const columns = (table?.heads ?? []).map((head, index) => ({ value: String(index), label: head }))
  return (
    <>
      <Text fz="sm" c="dimmed">
        {t('columnsWhy')}
      </Text>
      <Paper component="ul" className={`${classes.mapping} ${blocks.rows}`} radius="md" aria-label={t('columns')}>
        {fields.map(({ variable, label, kind, required, initial, files }) => {
          const source = mapping[variable]
          const text = source && 'text' in source ? source.text : null
          const column = source && 'column' in source ? source.column : null
          const setText = (given: string) => choose(variable, { text: given })
          return (
            <li key={variable}>
              <Group component="span" align="baseline" gap="2px 8px" fz="sm" c="var(--text-3)">
                <Text span fz={13} fw={550} c="var(--text)">
                  {label}
                </Text>
                <code>{getApiName(variable)}</code> <span title={t('kindOf')}>{kind}</span>
                {required ? (
                  <Text span inherit c="dimmed">
                    {t('required')}
                  </Text>
                ) : null}
              </Group>
              <NativeSelect
                aria-label={t('from', { label })}
                value={text === null ? (column ?? NO_COLUMN) : SAME_FOR_ALL}
                onChange={({ currentTarget: { value } }) => {
                  if (value === SAME_FOR_ALL) setText(initial)
                  else choose(variable, value === NO_COLUMN ? null : { column: Number(value) })
                }}
                data={[
                  { value: NO_COLUMN, label: t('useDefault') },
                  { value: SAME_FOR_ALL, label: t('sameForAll') },
                  ...columns,
                ]}
              />
              {text === null ? (
                <Text span fz="sm" c="dimmed" truncate dir="auto">
                  {column !== null
                    ? t('firstValue', { value: table?.sample[0]?.[column] || t('emptyCell') })
                    : initial && t('defaultIs', { value: initial })}
                </Text>
              ) : files ? (
                <InputFilesField
                  label={t('theText', { label })}
                  rule={files}
                  entries={parseFileEntries(text)}
                  onEntries={(entries) => setText(entries.length === 0 ? '' : JSON.stringify(entries))}
                  upload={upload}
                />
              ) : (
                <TextInput
                  aria-label={t('theText', { label })}
                  value={text}
                  onChange={(event) => setText(event.currentTarget.value)}
                />
              )}
            </li>
          )
        })}
      </Paper>
    </>
  )
}
