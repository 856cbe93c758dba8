import { useState } from 'react'
import { useLocation, useNavigationType } from 'react-router'

/**
 * The place that is shown, by the keys its address has had: going elsewhere is another place, a screen that only
 * straightens its own address stays where it is.
 */
export function usePlace(): readonly string[] {
  const { key, pathname } = useLocation()
  const isReplaced = useNavigationType() === 'REPLACE'
  const [place, setPlace] = useState({ pathname, keys: [key] })
  if (place.keys.includes(key)) return place.keys
  const keys = isReplaced && place.pathname === pathname ? [...place.keys, key] : [key]
  setPlace({ pathname, keys })
  return keys
}

/** The key of the address as the router writes it: it stands there before the screen that it names has been drawn. */
export function keyOfAddress(): string {
  const state: unknown = history.state
  return state && typeof state === 'object' && 'key' in state ? String(state.key) : 'default'
}
