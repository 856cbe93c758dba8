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

/** Searches 250 ms after the last key, never during an IME composition. */
export function SearchField({ label, value, onSearch, hasShortcut = false, autoFocus = false }: SearchFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  const [inputText, setInputText] = useState({ text: value, value })
  // Back and Clear change the value from outside.
  if (inputText.value !== value) setInputText({ text: value === inputText.text.trim() ? inputText.text : value, value })
  const search = useDebouncedCallback((words: string) => onSearch(words), 250)
  useShortcuts(hasShortcut ? [['/', () => input.current?.focus()]] : [])

  const change = (event: ChangeEvent<HTMLInputElement>) => {
    const text = event.currentTarget.value
    setInputText({ text, value })
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
