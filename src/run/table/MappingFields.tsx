import { NativeSelect, TextInput } from '@mantine/core'
import { useWords } from '../../ui/words.ts'
import { readEntries } from '../files.ts'
import { FilesField } from '../FilesField.tsx'
import type { Control } from '../inputs.ts'
import type { UploadTarget } from '../useUpload.ts'
import classes from './Make.module.css'
import type { Mapping, Origin } from './mapping.ts'
import { tableWords } from './messages.ts'
import type { TableRead } from './protocol.ts'

export interface MappingFieldsProps {
  controls: readonly Control[]
  table: TableRead
  mapping: Mapping
  onOrigin: (variable: string, origin: Origin | null) => void
  /** Null where files cannot be uploaded. */
  upload: UploadTarget | null
}

const NONE = 'none'
const SAME = 'same'

/** Which column fills which input of the app, or which text for all rows. */
export function MappingFields({ controls, table, mapping, onOrigin, upload }: MappingFieldsProps) {
  const t = useWords(tableWords)
  if (controls.length === 0) return <p className={classes.why}>{t('noControls')}</p>
  return (
    <>
      <p className={classes.why}>{t('columnsWhy')}</p>
      <ul className={classes.mapping} aria-label={t('columns')}>
        {controls.map((control) => {
          const { variable, label, kind, required, initial } = control
          const origin = mapping[variable]
          const value = !origin ? NONE : 'column' in origin ? String(origin.column) : SAME
          const first = origin && 'column' in origin ? (table.sample[0]?.[origin.column] ?? '') : null
          return (
            <li key={variable}>
              <span className={classes.variable}>
                <b>{label}</b> <code>{variable}</code> <span title={t('kindOf')}>{kind}</span>
                {required ? <em>{t('required')}</em> : null}
              </span>
              <NativeSelect
                aria-label={t('from', { label })}
                value={value}
                onChange={({ currentTarget: { value: chosen } }) =>
                  onOrigin(
                    variable,
                    chosen === NONE ? null : chosen === SAME ? { text: initial } : { column: Number(chosen) },
                  )
                }
                data={[
                  { value: NONE, label: t('useDefault') },
                  { value: SAME, label: t('sameForAll') },
                  ...table.heads.map((head, index) => ({ value: String(index), label: head })),
                ]}
              />
              {origin && 'text' in origin && control.files ? (
                <FilesField
                  label={t('theText', { label })}
                  rule={control.files}
                  entries={readEntries(origin.text)}
                  onEntries={(entries) =>
                    onOrigin(variable, { text: entries.length === 0 ? '' : JSON.stringify(entries) })
                  }
                  upload={upload}
                />
              ) : origin && 'text' in origin ? (
                <TextInput
                  aria-label={t('theText', { label })}
                  value={origin.text}
                  onChange={(event) => onOrigin(variable, { text: event.currentTarget.value })}
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
