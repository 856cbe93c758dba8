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
