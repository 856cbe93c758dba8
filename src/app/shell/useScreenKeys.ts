import { useState } from 'react'
import { useLocation, useNavigationType } from 'react-router'

/**
 * The place that is shown, by the keys its address has had: going elsewhere is another place, a screen that only
 * straightens its own address stays where it is.
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

/** The key of the address as the router writes it: it stands there before the screen that it names has been drawn. */
export function getLocationKey(): string {
  const state: unknown = history.state
  return state && typeof state === 'object' && 'key' in state ? String(state.key) : 'default'
}
