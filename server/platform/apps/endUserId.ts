import { createHash } from 'node:crypto'
import type { EndUser } from './chat/conversations.ts'

/** The id of an end user: always the same for one user of one application, in UUID form. */
export function toEndUserId({ app, user }: EndUser): string {
  const hex = createHash('sha256').update(`${app}\0${user}`).digest('hex')
  // Version 8, which is for ids made in one's own way.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
