import type { KeyboardEvent } from 'react'

/** The name of the shortcut modifier key on this platform. */
export const MODIFIER_KEY = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl'

/** Whether the keys send a form: the modifier and Enter. */
export const isSubmitShortcut = (event: KeyboardEvent): boolean => isSubmitShortcutOf(event.nativeEvent)

/** The same of an event of the browser itself. */
export const isSubmitShortcutOf = (event: globalThis.KeyboardEvent): boolean =>
  event.key === 'Enter' && (event.ctrlKey || event.metaKey)
