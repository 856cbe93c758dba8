import { useLocalStorage } from '@mantine/hooks'
import type { KeyboardEvent } from 'react'

/**
 * Whether Enter alone sends a chat message; Shift and Enter then start a new line. The modifier and Enter always
 * send.
 */
export const useEnterSends = () =>
  useLocalStorage({ key: 'loupe-enter-sends', defaultValue: true, getInitialValueInEffect: false })

/** Enter alone. The keyboard of a touch screen has no Shift and Enter for a new line. */
export const isPlainEnter = (event: KeyboardEvent): boolean =>
  event.key === 'Enter' &&
  !(event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) &&
  !window.matchMedia('(pointer: coarse)').matches
