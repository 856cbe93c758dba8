import { useCallback } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import { canCall } from '#contract/permissions.ts'
import { accessEndpoints } from '#contract/console/access.ts'
import { useRead } from './query.ts'

export type CanCall = (entry: Pick<Endpoint, 'permission'>) => boolean

/** Whether the current person may call an entry, by the server's permission table. */
export function usePermission(): CanCall {
  const role = useRead(accessEndpoints.session, {}).data?.person.role
  return useCallback((entry) => (role ? canCall(role, entry) : false), [role])
}
