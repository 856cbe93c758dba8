import { createHash } from 'node:crypto'
import type { EndUser } from './chat/conversations.ts'

export const toEndUserId = ({ app, user }: EndUser): string => toDerivedId(`${app}\0${user}`)

/** Deterministic UUID of a text. */
export function toDerivedId(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  // Version 8: custom UUIDs (RFC 9562).
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
