import type { ReactNode } from 'react'
import { ActionIcon, Box, Group, SegmentedControl, Stack, Text, Textarea } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { InputControl } from './InputControl.tsx'
import {
  type FieldErrors,
  type FormValues,
  formatFieldError,
  type InputField,
  isExtraField,
  JSON_VIEW_KEY,
  toFieldView,
  toJsonView,
} from './inputFields.ts'
import fieldClasses from '../../../components/forms/Fields.module.css'
import { inputMessages } from './messages.ts'
import { PendingUploadsContext, usePendingUploads } from './pendingUploads.ts'
import type { UploadTarget } from './InputFilesField.tsx'
import blocks from '../../../components/layout/Blocks.module.css'

export interface InputsFormProps {
  fields: readonly InputField[]
  values: FormValues
  onChange: (filled: FormValues) => void
  errors: FieldErrors
  /** Null if uploads are not supported. */
  upload: UploadTarget | null
  /** Variables whose value differs from the previous run. */
  changed?: readonly string[]
}

/** The inputs of an app, as a form or as JSON with the same values. Errors are shown at their field. */
export function InputsForm(props: InputsFormProps) {
  const { fields, values, onChange, errors, upload, changed = [] } = props
  const t = useMessages(inputMessages)
  const uploads = usePendingUploads()
  const isJson = values[JSON_VIEW_KEY] !== undefined
  const fieldValues = isJson ? toFieldView(fields, values) : values
  const getErrorText = (name: string) => errors[name] && formatFieldError(t, errors[name])
  const draw = (control: InputField) => (
    <ChangeMark key={control.variable} isChanged={changed.includes(control.variable)}>
      <InputControl
        field={control}
        value={values[control.variable] ?? control.initial}
        error={getErrorText(control.variable)}
        onChange={(value) => onChange({ ...values, [control.variable]: value })}
        layout="field"
        upload={upload}
      />
    </ChangeMark>
  )
  const hidden = fields.filter((control) => control.hidden)
  const view = (
    <SegmentedControl
      size="xs"
      ml="auto"
      aria-label={t('inputsView')}
      value={isJson ? 'json' : 'form'}
      // Text that is not a JSON object has no form: it stays in the JSON view for correction. A file that is uploaded
      // after the switch would replace the JSON.
      disabled={isJson ? fieldValues === null : uploads.hasPending}
      onChange={(value) => {
        if (value === 'json' && !isJson) onChange(toJsonView(fields, values))
        if (value === 'form' && fieldValues) onChange(fieldValues)
      }}
      data={[
        { value: 'form', label: t('asForm') },
        { value: 'json', label: t('asText') },
      ]}
    />
  )
  if (isJson)
    return (
      <Stack gap="md">
        {view}
        <JsonInput
          label={t('inputsJson')}
          isInvalid={Object.keys(errors).length > 0}
          rows={8}
          text={values[JSON_VIEW_KEY] ?? ''}
          onText={(text) => onChange({ [JSON_VIEW_KEY]: text })}
        />
        {Object.entries(errors).map(([name, error]) => (
          <FaultText key={name}>{formatFieldError(t, error)}</FaultText>
        ))}
      </Stack>
    )
  return (
    <Stack gap="md" miw={0}>
      {view}
      {fields.length === 0 ? (
        <Text size="sm" c="var(--text-3)">
          {t('noForm')}
        </Text>
      ) : null}
      <PendingUploadsContext value={uploads.note}>
        {fields.filter((control) => !control.hidden).map(draw)}
        {Object.keys(values)
          .filter(isExtraField)
          .map((name) => (
            <ExtraField
              key={name}
              name={name}
              text={values[name] ?? ''}
              error={getErrorText(name)}
              onText={(text) => onChange({ ...values, [name]: text })}
              onRemove={() => onChange(Object.fromEntries(Object.entries(values).filter(([one]) => one !== name)))}
            />
          ))}
        {hidden.length > 0 ? (
          <details className={fieldClasses.fold} open={hidden.some(({ variable }) => errors[variable]) || undefined}>
            <summary>{t('hiddenInputs')}</summary>
            <div>{hidden.map(draw)}</div>
          </details>
        ) : null}
      </PendingUploadsContext>
    </Stack>
  )
}

interface ExtraFieldProps {
  name: string
  text: string
  error: string | undefined
  onText: (text: string) => void
  onRemove: () => void
}

/** A variable of an earlier request that the form does not define. */
function ExtraField({ name, text, error, onText, onRemove }: ExtraFieldProps) {
  const t = useMessages(inputMessages)
  const variable = name.slice(1)
  return (
    <Stack gap={4}>
      <Group gap="xs" fz="sm">
        <code>{variable}</code>
        <Text size="xs" c="var(--text-3)" flex={1}>
          {t('beyondForm')}
        </Text>
        <ActionIcon size={24} aria-label={t('leaveOut', { variable })} onClick={onRemove}>
          <IconX size={14} />
        </ActionIcon>
      </Group>
      <JsonInput label={variable} isInvalid={error !== undefined} rows={2} text={text} onText={onText} />
      {error ? <FaultText>{error}</FaultText> : null}
    </Stack>
  )
}

interface JsonInputProps {
  label: string
  isInvalid: boolean
  rows: number
  text: string
  onText: (text: string) => void
}

function JsonInput({ label, isInvalid, rows, text, onText }: JsonInputProps) {
  return (
    <Textarea
      styles={{
        input: { maxHeight: '60vh', fontFamily: 'var(--mantine-font-family-monospace)', fieldSizing: 'content' },
      }}
      aria-label={label}
      error={isInvalid}
      spellCheck={false}
      rows={rows}
      resize="vertical"
      value={text}
      onChange={(event) => onText(event.currentTarget.value)}
    />
  )
}

/** A bar before what differs from the run before. */
export const ChangeMark = ({ isChanged, children }: { isChanged: boolean; children: ReactNode }) => (
  <Box
    className={isChanged ? blocks.noted : undefined}
    miw={0}
    maw="100%"
    data-tone="mark"
    data-changed={isChanged || undefined}
  >
    {children}
  </Box>
)

export const FaultText = ({ children }: { children: string }) => (
  <Text size="sm" c="var(--failed-fg)" role="alert">
    {children}
  </Text>
)

/** The variables whose value differs from an earlier form, compared as input text. */
export function listChangedFields(fields: readonly InputField[], before: FormValues, after: FormValues): string[] {
  const now = after[JSON_VIEW_KEY] === undefined ? after : (toFieldView(fields, after) ?? {})
  const initial = new Map(fields.map((control) => [control.variable, control.initial]))
  const names = new Set([...initial.keys(), ...Object.keys(before), ...Object.keys(now)])
  return [...names].filter((name) => (before[name] ?? initial.get(name)) !== (now[name] ?? initial.get(name)))
}
