import { Kbd, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { type ChangeEvent, useEffect, useRef, useState } from 'react'
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
  const [text, setText] = useState(value)
  /** What this field has searched for and not received as its value yet. */
  const pending = useRef<string[]>([])
  const search = useDebouncedCallback((words: string) => {
    pending.current.push(words)
    onSearch(words)
  }, 250)
  // Back and Clear replace the text; a search of this field keeps later input. In an effect, because state that is
  // set while React renders a navigation would be mixed into the next key press.
  useEffect(() => {
    const at = pending.current.indexOf(value)
    pending.current.splice(0, at >= 0 ? at + 1 : Infinity)
    if (at < 0) setText((before) => (before.trim() === value ? before : value))
  }, [value])
  useShortcuts(hasShortcut ? [['/', () => input.current?.focus()]] : [])

  const change = (event: ChangeEvent<HTMLInputElement>) => {
    setText(event.currentTarget.value)
    if (!(event.nativeEvent as InputEvent).isComposing) search(event.currentTarget.value.trim())
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
      rightSection={hasShortcut && text === '' ? <Kbd size="xs">/</Kbd> : undefined}
      value={text}
      onChange={change}
      onCompositionEnd={(event) => search(event.currentTarget.value.trim())}
    />
  )
}
