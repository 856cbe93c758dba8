import { Kbd, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { type ChangeEvent, useRef, useState } from 'react'
import { useShortcuts } from '../hooks/useShortcuts.ts'

export interface SearchFieldProps {
  label: string
  /** The current search text. */
  value: string
  onSearch: (words: string) => void
  /** Whether `/` focuses this field; at most one field on a page. */
  hasShortcut?: boolean
  autoFocus?: boolean
}

interface InputText {
  text: string
  /** The value as it was last received. */
  value: string
  /** What this field has searched for and not received as its value yet. */
  pending: readonly string[]
}

/** Searches 250 ms after the last key, never during an IME composition. */
export function SearchField({ label, value, onSearch, hasShortcut = false, autoFocus = false }: SearchFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const [inputText, setInputText] = useState<InputText>({ text: value, value, pending: [] })
  if (inputText.value !== value) setInputText(receiveValue(inputText, value))
  const search = useDebouncedCallback((words: string) => {
    setInputText((before) => ({ ...before, pending: [...before.pending, words] }))
    onSearch(words)
  }, 250)
  useShortcuts(hasShortcut ? [['/', () => input.current?.focus()]] : [])

  const change = (event: ChangeEvent<HTMLInputElement>) => {
    const text = event.currentTarget.value
    setInputText((before) => ({ ...before, text }))
    if (!(event.nativeEvent as InputEvent).isComposing) search(text.trim())
  }
  return (
    <TextInput
      ref={input}
      autoFocus={autoFocus}
      type="search"
      aria-label={label}
      placeholder={label}
      maxLength={255}
      w={250}
      maw="100%"
      leftSection={<IconSearch size={15} aria-hidden="true" />}
      rightSection={hasShortcut && inputText.text === '' ? <Kbd size="xs">/</Kbd> : undefined}
      value={inputText.text}
      onChange={change}
      onCompositionEnd={(event) => search(event.currentTarget.value.trim())}
    />
  )
}

/** A search of this field that comes back as its value leaves what is typed since; Back and Clear replace it. */
function receiveValue({ text, pending }: InputText, value: string): InputText {
  const at = pending.indexOf(value)
  if (at >= 0) return { text, value, pending: pending.slice(at + 1) }
  return { text: value === text.trim() ? text : value, value, pending: [] }
}
