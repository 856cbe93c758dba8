import type { ReactNode } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import { canCall } from '#contract/permissions.ts'
import { accessEndpoints } from '#contract/console/access.ts'
import { useRead } from './query.ts'

export interface CanProps {
  /** The entry that the children call. */
  entry: Pick<Endpoint, 'permission'>
  children: ReactNode
  /** Shown instead without permission; optional. */
  fallback?: ReactNode
}

/** Renders its children only for people who may call the entry. Renders nothing until the session is known. */
export function Can({ entry, children, fallback = null }: CanProps) {
  const role = useRead(accessEndpoints.session, {}).data?.person.role
  if (!role) return null
  return canCall(role, entry) ? children : fallback
}
