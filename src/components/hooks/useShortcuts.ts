import { type HotkeyItem, useHotkeys, useLocalStorage } from '@mantine/hooks'
import { Listeners } from '#domain/listeners.ts'
import { useEffect, useId, useSyncExternalStore } from 'react'

/**
 * Whether single-key shortcuts are on. Speech input and accidental key presses trigger them too, so they can be
 * switched off (WCAG 2.1.4).
 */
export const useShortcutsEnabled = () =>
  useLocalStorage({ key: 'loupe-letter-keys', defaultValue: true, getInitialValueInEffect: false })

/**
 * Registers single-key shortcuts. They are inactive in text fields, during IME composition, and as the second key of
 * a sequence.
 */
export function useShortcuts(keys: HotkeyItem[], { second: isSecondKey = false } = {}): void {
  const [isOn] = useShortcutsEnabled()
  const handledKeys = keys.map(([key, act, options]): HotkeyItem => {
    const handle = (event: KeyboardEvent) => {
      if (isTextField(event.target) || (goToPrefix.isPending && !isSecondKey)) return
      if (options?.preventDefault ?? true) event.preventDefault()
      act(event)
    }
    return [key, handle, { ...options, preventDefault: false }]
  })
  useHotkeys(isOn ? handledKeys : [], ['TEXTAREA', 'SELECT'])
  const id = useId()
  const names = keys.map(([key]) => key).join(' ')
  useEffect(() => {
    if (isSecondKey) return
    activeShortcuts.set(id, names)
    shortcutListeners.notify()
    return () => {
      activeShortcuts.delete(id)
      shortcutListeners.notify()
    }
  }, [id, names, isSecondKey])
}

/** A checkbox takes no letters: the shortcuts of its list stay available after a click on it. */
const isTextField = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement && target.type !== 'checkbox' && target.type !== 'radio'

/**
 * Pending after the first key of a sequence (`g`), until the second key or the timeout: the second key then belongs
 * to the sequence.
 */
export const goToPrefix = { isPending: false }

/** The active single-key shortcuts, by listener. */
const activeShortcuts = new Map<string, string>()
const shortcutListeners = new Listeners()
const getShortcutSnapshot = () => [...activeShortcuts.values()].join(' ')

/** The single-key shortcuts that are active on the current page. */
export const useActiveShortcuts = (): ReadonlySet<string> =>
  new Set(useSyncExternalStore(shortcutListeners.subscribe, getShortcutSnapshot).split(' '))
