import { NumberInput, type NumberInputProps } from '@mantine/core'
import { useState } from 'react'

export interface NumberFieldProps extends Omit<NumberInputProps, 'value' | 'onChange' | 'defaultValue'> {
  number: number | null
  /** Null if the field is empty. */
  onNumber: (number: number | null) => void
}

/** Text that is not a number yet stays: "0." on the way to "0.05". */
export function NumberField({ number, onNumber, ...props }: NumberFieldProps) {
  const [typed, setTyped] = useState<number | string>(number ?? '')
  return (
    <NumberInput
      {...props}
      value={typed}
      onChange={(value) => {
        setTyped(value)
        onNumber(parseTyped(value))
      }}
    />
  )
}

export interface RequiredNumberFieldProps extends Omit<NumberFieldProps, 'number' | 'onNumber' | 'clampBehavior'> {
  number: number
  min: number
  onNumber: (number: number) => void
}

/** A field left empty, or below its minimum, gets its last number back. */
export function RequiredNumberField({ number, onNumber, ...props }: RequiredNumberFieldProps) {
  const [typed, setTyped] = useState<number | string>(number)
  return (
    <NumberInput
      {...props}
      clampBehavior="strict"
      value={typed}
      onChange={(value) => {
        setTyped(value)
        const next = parseTyped(value)
        if (next !== null && next >= props.min) onNumber(next)
      }}
      onBlur={() => setTyped(number)}
    />
  )
}

const parseTyped = (value: number | string): number | null =>
  value === '' || !Number.isFinite(Number(value)) ? null : Number(value)
