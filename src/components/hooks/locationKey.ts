/** The key of the current history entry, available before its screen has rendered. */
export function getLocationKey(): string {
  const state: unknown = history.state
  return state && typeof state === 'object' && 'key' in state ? String(state.key) : 'default'
}
