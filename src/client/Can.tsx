import type { ReactNode } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'
import { canCall } from '#contract/permissions.ts'
import { useRead } from './query.ts'

export interface CanProps {
  /** What the children call. */
  entry: Pick<Endpoint, 'permission'>
  children: ReactNode
  /** In place of them, for those who may not; nothing where the page says enough without. */
  fallback?: ReactNode
}

/** Draws what calls an entry for those only who may call it. Nothing is drawn before it is known who is signed in. */
export function Can({ entry, children, fallback = null }: CanProps) {
  const role = useRead(contract.console.session, {}).data?.person.role
  if (!role) return null
  return canCall(role, entry) ? children : fallback
}
