import { NativeSelect, TextInput } from '@mantine/core'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { parseFileEntries } from '../../runs/inputs/inputFiles.ts'
import { InputFilesField } from '../../runs/inputs/InputFilesField.tsx'
import type { InputField } from '../../runs/inputs/inputFields.ts'
import type { UploadTarget } from '../../runs/inputs/useFileUpload.ts'
import classes from './TableImport.module.css'
import { getApiName, type ColumnMapping, type ValueSource } from './columnMapping.ts'
import { tableImportMessages } from './messages.ts'
import type { TableRead } from './tableWorkerMessages.ts'

export interface MappingFieldsProps {
  fields: readonly InputField[]
  table: TableRead
  mapping: ColumnMapping
  onSource: (variable: string, origin: ValueSource | null) => void
  /** Null if uploads are not supported. */
  upload: UploadTarget | null
}

const NO_COLUMN = 'none'
const SAME_FOR_ALL = 'same'

/** Maps columns, or a constant text, to the inputs of the app. */
export function MappingFields({ fields, table, mapping, onSource, upload }: MappingFieldsProps) {
  const t = useMessages(tableImportMessages)
  if (fields.length === 0) return <p className={classes.why}>{t('noControls')}</p>
  return (
    <>
      <p className={classes.why}>{t('columnsWhy')}</p>
      <ul className={classes.mapping} aria-label={t('columns')}>
        {fields.map((control) => {
          const { variable, label, kind, required, initial } = control
          const origin = mapping[variable]
          const value = !origin ? NO_COLUMN : 'column' in origin ? String(origin.column) : SAME_FOR_ALL
          const first = origin && 'column' in origin ? (table.sample[0]?.[origin.column] ?? '') : null
          return (
            <li key={variable}>
              <span className={classes.variable}>
                <b>{label}</b> <code>{getApiName(variable)}</code> <span title={t('kindOf')}>{kind}</span>
                {required ? <em>{t('required')}</em> : null}
              </span>
              <NativeSelect
                aria-label={t('from', { label })}
                value={value}
                onChange={({ currentTarget: { value: chosen } }) =>
                  onSource(
                    variable,
                    chosen === NO_COLUMN
                      ? null
                      : chosen === SAME_FOR_ALL
                        ? { text: initial }
                        : { column: Number(chosen) },
                  )
                }
                data={[
                  { value: NO_COLUMN, label: t('useDefault') },
                  { value: SAME_FOR_ALL, label: t('sameForAll') },
                  ...table.heads.map((head, index) => ({ value: String(index), label: head })),
                ]}
              />
              {origin && 'text' in origin && control.files ? (
                <InputFilesField
                  label={t('theText', { label })}
                  rule={control.files}
                  entries={parseFileEntries(origin.text)}
                  onEntries={(entries) =>
                    onSource(variable, { text: entries.length === 0 ? '' : JSON.stringify(entries) })
                  }
                  upload={upload}
                />
              ) : origin && 'text' in origin ? (
                <TextInput
                  aria-label={t('theText', { label })}
                  value={origin.text}
                  onChange={(event) => onSource(variable, { text: event.currentTarget.value })}
                />
              ) : (
                <span className={classes.first} dir="auto">
                  {first === null
                    ? initial === ''
                      ? ''
                      : t('defaultIs', { value: initial })
                    : t('firstValue', { value: first === '' ? t('emptyCell') : first })}
                </span>
              )}
            </li>
          )
        })}
      </ul>
    </>
  )
}
