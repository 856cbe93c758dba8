import { Text } from '@mantine/core'
import { useMessages } from '../i18n/useMessages.ts'
import { fieldMessages, optionMessages } from './messages.ts'

/** The label of one of the interface's fields, with its name in the API beside it, because people script against it. */
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

/** A word of the interface with its label; one without a label stays as it came. */
export function useOptionLabel(): (word: string) => string {
  const t = useMessages(optionMessages)
  return (word) => (Object.hasOwn(optionMessages, word) ? `${t(word as keyof typeof optionMessages)} (${word})` : word)
}

/** The words of a field as the options of a select, each with its label. */
export function useFieldOptions(): (words: readonly string[]) => { value: string; label: string }[] {
  const toLabel = useOptionLabel()
  return (words) => words.map((word) => ({ value: word, label: toLabel(word) }))
}
