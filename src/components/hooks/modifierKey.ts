import type { KeyboardEvent } from 'react'

/** The name of the shortcut modifier key on this platform. */
export const MODIFIER_KEY = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl'

/** Whether the keys send a form: the modifier and Enter. The Enter of an IME composition belongs to the IME. */
export const isSubmitShortcut = (event: KeyboardEvent): boolean =>
  event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.nativeEvent.isComposing
