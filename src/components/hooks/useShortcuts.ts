import { type HotkeyItem, useHotkeys, useLocalStorage } from '@mantine/hooks'
import { useEffect, useId, useSyncExternalStore } from 'react'

/** Whether single letters are keys. Speech input and a slip of the hand press them too, so they can be switched off. */
export const useShortcutsEnabled = () =>
  useLocalStorage({ key: 'loupe-letter-keys', defaultValue: true, getInitialValueInEffect: false })

/** Keys of one letter. They do nothing in a field, so neither while typing nor with an IME open, nor as the second of two. */
export function useShortcuts(keys: HotkeyItem[], { second: isSecondKey = false } = {}): void {
  const [isOn] = useShortcutsEnabled()
  const handledKeys = keys.map(([key, act, options]): HotkeyItem => {
    return [key, (event: KeyboardEvent) => (isSecondKey || !goToPrefix.isPending ? act(event) : undefined), options]
  })
  useHotkeys(isOn ? handledKeys : [])
  const id = useId()
  const names = keys.map(([key]) => key).join(' ')
  useEffect(() => {
    if (isSecondKey) return
    activeShortcuts.set(id, names)
    notifyShortcutListeners()
    return () => {
      activeShortcuts.delete(id)
      notifyShortcutListeners()
    }
  }, [id, names, isSecondKey])
}

/** Set after the first of two keys (`g`), until the second came or too late: it then belongs to whoever set this. */
export const goToPrefix = { isPending: false }

/** Which keys of one letter can be pressed, by who listens. */
const activeShortcuts = new Map<string, string>()
const shortcutListeners = new Set<() => void>()
const notifyShortcutListeners = () => {
  for (const listener of shortcutListeners) listener()
}
const subscribeToShortcuts = (listener: () => void) => {
  shortcutListeners.add(listener)
  return () => void shortcutListeners.delete(listener)
}
const getShortcutSnapshot = () => [...activeShortcuts.values()].join(' ')

/** The keys of one letter that do something where one is. */
export const useActiveShortcuts = (): ReadonlySet<string> =>
  new Set(useSyncExternalStore(subscribeToShortcuts, getShortcutSnapshot).split(' '))
