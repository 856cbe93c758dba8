import { useState } from 'react'
import { useLocation, useNavigationType } from 'react-router'

/**
 * Identifies the current screen by its history keys: navigation starts a new list; a screen that only normalizes its
 * own URL keeps the list.
 */
export function useScreenKeys(): readonly string[] {
  const { key, pathname } = useLocation()
  const isReplaced = useNavigationType() === 'REPLACE'
  const [screenKeys, setScreenKeys] = useState({ pathname, keys: [key] })
  if (screenKeys.keys.includes(key)) return screenKeys.keys
  const keys = isReplaced && screenKeys.pathname === pathname ? [...screenKeys.keys, key] : [key]
  setScreenKeys({ pathname, keys })
  return keys
}

/** The key of the current history entry, available before its screen has rendered. */
export function getLocationKey(): string {
  const state: unknown = history.state
  return state && typeof state === 'object' && 'key' in state ? String(state.key) : 'default'
}
