import { ActionIcon } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { SegmentedControl } from '../ui/SegmentedControl.tsx'
import { useWords } from '../ui/words.ts'
import { faultWords } from './faultWords.ts'
import { InputControl } from './InputControl.tsx'
import { asFields, asJson, type Control, type Faults, type Filled, isBeyond, WHOLE } from './inputs.ts'
import classes from './InputsForm.module.css'
import { runWords } from './messages.ts'
import type { UploadTarget } from './useUpload.ts'

export interface InputsFormProps {
  controls: readonly Control[]
  filled: Filled
  onFilled: (filled: Filled) => void
  faults: Faults
  /** Null where files cannot be uploaded. */
  upload: UploadTarget | null
  layout?: 'chip' | 'field'
  /** Variables whose value is not what the run before had. */
  changed?: readonly string[]
}

/** The inputs of an app, as its form or as JSON: the same values in both. A fault stands at its field. */
export function InputsForm(props: InputsFormProps) {
  const { controls, filled, onFilled, faults, upload, layout = 'field', changed = [] } = props
  const t = useWords(runWords)
  const isJson = filled[WHOLE] !== undefined
  const fields = isJson ? asFields(controls, filled) : filled
  const wordsOf = (name: string) => faults[name] && faultWords(t, faults[name])
  const draw = (control: Control) => (
    <div
      key={control.variable}
      className={classes.control}
      data-changed={changed.includes(control.variable) || undefined}
    >
      <InputControl
        control={control}
        value={filled[control.variable] ?? control.initial}
        fault={wordsOf(control.variable)}
        onChange={(value) => onFilled({ ...filled, [control.variable]: value })}
        layout={layout}
        upload={upload}
      />
    </div>
  )
  const hidden = controls.filter((control) => control.hidden)
  const view = (
    <SegmentedControl
      size="xs"
      aria-label={t('inputsView')}
      value={isJson ? 'json' : 'form'}
      // What is no JSON object has no form: it stays where it can be mended.
      disabled={isJson && fields === null}
      onChange={(value) => {
        if (value === 'json' && !isJson) onFilled(asJson(controls, filled))
        if (value === 'form' && fields) onFilled(fields)
      }}
      data={[
        { value: 'form', label: t('asForm') },
        { value: 'json', label: t('asText') },
      ]}
    />
  )
  if (isJson)
    return (
      <div className={classes.form} data-layout="field">
        <div className={classes.view}>{view}</div>
        <textarea
          className={classes.json}
          aria-label={t('inputsJson')}
          aria-invalid={Object.keys(faults).length > 0}
          spellCheck={false}
          rows={8}
          value={filled[WHOLE]}
          onChange={(event) => onFilled({ [WHOLE]: event.currentTarget.value })}
        />
        {Object.entries(faults).map(([name, fault]) => (
          <p key={name} className={classes.fault} role="alert">
            {faultWords(t, fault)}
          </p>
        ))}
      </div>
    )
  return (
    <div className={classes.form} data-layout={layout}>
      <div className={classes.view}>{view}</div>
      {controls.length === 0 ? <p className={classes.note}>{t('noForm')}</p> : null}
      {controls.filter((control) => !control.hidden).map(draw)}
      {Object.keys(filled)
        .filter(isBeyond)
        .map((name) => (
          <Beyond
            key={name}
            name={name}
            text={filled[name] ?? ''}
            fault={wordsOf(name)}
            onText={(text) => onFilled({ ...filled, [name]: text })}
            onRemove={() => onFilled(Object.fromEntries(Object.entries(filled).filter(([one]) => one !== name)))}
          />
        ))}
      {hidden.length > 0 ? (
        <details className={classes.hidden} open={hidden.some(({ variable }) => faults[variable]) || undefined}>
          <summary>{t('hiddenInputs')}</summary>
          <div className={classes.form} data-layout={layout}>
            {hidden.map(draw)}
          </div>
        </details>
      ) : null}
    </div>
  )
}

interface BeyondProps {
  name: string
  text: string
  fault: string | undefined
  onText: (text: string) => void
  onRemove: () => void
}

/** A variable that was sent before and that the form does not name. */
function Beyond({ name, text, fault, onText, onRemove }: BeyondProps) {
  const t = useWords(runWords)
  const variable = name.slice(1)
  return (
    <div className={classes.beyond}>
      <span>
        <code>{variable}</code> <small>{t('beyondForm')}</small>
        <ActionIcon size={24} aria-label={t('leaveOut', { variable })} onClick={onRemove}>
          <IconX size={14} />
        </ActionIcon>
      </span>
      <textarea
        className={classes.json}
        aria-label={variable}
        aria-invalid={fault !== undefined}
        rows={2}
        value={text}
        onChange={(event) => onText(event.currentTarget.value)}
      />
      {fault ? (
        <p className={classes.fault} role="alert">
          {fault}
        </p>
      ) : null}
    </div>
  )
}
