import { useEffect, useState } from 'react'

/**
 * Gives the focus back to what had it before a dialog that is only mounted while it is open: for an item of a menu to the
 * button of the menu. Mantine does so for a dialog that stays mounted.
 */
export function useReturnFocus(knownOpener?: HTMLElement | null): void {
  const [opener] = useState(() => knownOpener ?? findOpener())
  useEffect(
    () => () => {
      setTimeout(() => {
        const isLost = document.activeElement === null || document.activeElement === document.body
        if (isLost) opener?.focus({ preventScroll: true })
      })
    },
    [opener],
  )
}

/** The element that has the focus; for an item of a menu, which closes, the button of the menu. */
export function findOpener(): HTMLElement | null {
  const focused = document.activeElement
  const menuButton = focused?.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  const opener = menuButton ? document.getElementById(menuButton) : focused
  return opener instanceof HTMLElement ? opener : null
}
