import { Text } from '@mantine/core'
import { useMessages } from '../i18n/useMessages.ts'
import { fieldMessages, optionMessages } from './messages.ts'

/** The label of one of the interface's fields, with its API name next to it, for people who write scripts. */
export function FieldLabel({ name }: { name: keyof typeof fieldMessages }) {
  const label = useMessages(fieldMessages)(name)
  if (label.toLowerCase() === name) return <>{label}</>
  return (
    <>
      {label}{' '}
      <Text component="code" c="var(--text-3)" ff="monospace" fz="xs" fw={400} inherit>
        {name}
      </Text>
    </>
  )
}

export const isFieldName = (name: string): name is keyof typeof fieldMessages => Object.hasOwn(fieldMessages, name)

/** A value of the interface with its label; an unknown one is unchanged. */
export function useOptionLabel(): (word: string) => string {
  const t = useMessages(optionMessages)
  return (word) => (Object.hasOwn(optionMessages, word) ? `${t(word as keyof typeof optionMessages)} (${word})` : word)
}

export function useFieldOptions(): (words: readonly string[]) => { value: string; label: string }[] {
  const toLabel = useOptionLabel()
  return (words) => words.map((word) => ({ value: word, label: toLabel(word) }))
}
