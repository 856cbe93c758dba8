import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import type { DocForm } from '#contract/cutting/plan.ts'
import { useWords } from '../ui/words.ts'
import { type Faults, MOST_TOKENS } from './faults.ts'
import classes from './ChunkLab.module.css'
import { labWords } from './messages.ts'
import type { TypedSetting } from './typed.ts'

export interface SettingFieldsProps {
  typed: TypedSetting
  faults: Faults
  onChange: (typed: TypedSetting) => void
}

/** A setting of the lab, each field under its name on the wire. Numbers stay as they are typed. */
export function SettingFields({ typed, faults, onChange }: SettingFieldsProps) {
  const t = useWords(labWords)
  const set = (change: Partial<TypedSetting>) => onChange({ ...typed, ...change })
  const cut = (part: 'segmentation' | 'subchunk_segmentation') => (
    <div role="group" aria-label={part}>
      {typed.mode === 'hierarchical' ? <p className={classes.part}>{part}</p> : null}
      <div className={classes.cut}>
        {(['separator', 'max_tokens', 'chunk_overlap'] as const).map((name) => {
          const fault = faults[`${part}.${name}`]
          return (
            <TextInput
              key={name}
              label={name}
              value={typed[part][name]}
              inputMode={name === 'separator' ? 'text' : 'numeric'}
              spellCheck={false}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              description={name === 'separator' ? t('separatorHelp') : undefined}
              error={fault ? t(fault, { most: MOST_TOKENS }) : undefined}
              onChange={(event) => set({ [part]: { ...typed[part], [name]: event.currentTarget.value } })}
            />
          )
        })}
      </div>
    </div>
  )
  return (
    <div className={classes.fields}>
      <div className={classes.row}>
        <NativeSelect
          label="doc_form"
          value={typed.doc_form}
          data={['text_model', 'hierarchical_model']}
          onChange={({ currentTarget: { value } }) =>
            set({
              doc_form: value as DocForm,
              mode: value === 'hierarchical_model' ? 'hierarchical' : 'custom',
            })
          }
        />
        <NativeSelect
          label="mode"
          value={typed.mode}
          data={['automatic', 'custom', 'hierarchical']}
          onChange={({ currentTarget: { value } }) => set({ mode: value as TypedSetting['mode'] })}
        />
        {typed.mode === 'hierarchical' ? (
          <NativeSelect
            label="parent_mode"
            value={typed.parent_mode}
            data={['paragraph', 'full-doc']}
            onChange={({ currentTarget: { value } }) => set({ parent_mode: value as TypedSetting['parent_mode'] })}
          />
        ) : null}
      </div>
      {typed.mode === 'automatic' ? null : (
        <>
          {typed.mode === 'hierarchical' && typed.parent_mode === 'full-doc' ? null : cut('segmentation')}
          {typed.mode === 'hierarchical' ? cut('subchunk_segmentation') : null}
          {(['remove_extra_spaces', 'remove_urls_emails'] as const).map((name) => (
            <Checkbox
              key={name}
              label={name}
              size="xs"
              checked={typed[name]}
              onChange={(event) => set({ [name]: event.currentTarget.checked })}
            />
          ))}
        </>
      )}
    </div>
  )
}
