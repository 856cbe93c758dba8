import { type HotkeyItem, useHotkeys, useLocalStorage } from '@mantine/hooks'
import { useEffect, useId, useSyncExternalStore } from 'react'

/** Whether single letters are keys. Speech input and a slip of the hand press them too, so they can be switched off. */
export const useLettersOn = () =>
  useLocalStorage({ key: 'loupe-letter-keys', defaultValue: true, getInitialValueInEffect: false })

/** Keys of one letter. They do nothing in a field, so neither while typing nor with an IME open, nor as the second of two. */
export function useLetterKeys(keys: HotkeyItem[], { second = false } = {}): void {
  const [isOn] = useLettersOn()
  const heard = keys.map(([key, act, options]): HotkeyItem => {
    return [key, (event: KeyboardEvent) => (second || !prefix.waits ? act(event) : undefined), options]
  })
  useHotkeys(isOn ? heard : [])
  const id = useId()
  const names = keys.map(([key]) => key).join(' ')
  useEffect(() => {
    if (second) return
    pressable.set(id, names)
    tell()
    return () => {
      pressable.delete(id)
      tell()
    }
  }, [id, names, second])
}

/** Set after the first of two keys (`g`), until the second came or too late: it then belongs to whoever set this. */
export const prefix = { waits: false }

/** Which keys of one letter can be pressed, by who listens. */
const pressable = new Map<string, string>()
const listeners = new Set<() => void>()
const tell = () => {
  for (const listener of listeners) listener()
}
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
const snapshot = () => [...pressable.values()].join(' ')

/** The keys of one letter that do something where one is. */
export const usePressableKeys = (): ReadonlySet<string> => new Set(useSyncExternalStore(subscribe, snapshot).split(' '))
