import { TextInput, type TextInputProps } from '@mantine/core'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { metadataMessages } from './messages.ts'
import { parseInput } from './metadataValues.ts'

export interface MetadataValueInputProps extends Pick<TextInputProps, 'label' | 'aria-label' | 'description'> {
  'data-autofocus'?: boolean
  type: string | null | undefined
  value: string
  onChange: (input: string) => void
}

/** The input of a metadata value, with an error for a value of another type. */
export function MetadataValueInput({ type, value, onChange, ...input }: MetadataValueInputProps) {
  const t = useMessages(metadataMessages)
  const isInvalid = parseInput(type, value) === undefined
  return (
    <TextInput
      {...input}
      inputMode={type === 'number' ? 'decimal' : undefined}
      placeholder={type === 'time' ? t('dateExample') : undefined}
      autoComplete="off"
      value={value}
      error={isInvalid ? t(type === 'time' ? 'notADate' : 'notANumber') : undefined}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
