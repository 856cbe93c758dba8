import { useCallback } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'
import { canCall } from '#contract/permissions.ts'
import { useRead } from './query.ts'

export type CanCall = (entry: Pick<Endpoint, 'permission'>) => boolean

/** Whether the current person may call an entry, by the server's permission table. */
export function usePermission(): CanCall {
  const role = useRead(contract.console.session, {}).data?.person.role
  return useCallback((entry) => (role ? canCall(role, entry) : false), [role])
}
