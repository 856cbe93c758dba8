import { useCallback } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'
import { mayCall } from '#contract/roles.ts'
import { useRead } from './query.ts'

export type Asks = (entry: Pick<Endpoint, 'permission'>) => boolean

/** Whether the person who is signed in may call an entry, by the table that the server goes by. What they may not is not drawn. */
export function useMay(): Asks {
  const role = useRead(contract.console.session, {}).data?.person.role
  return useCallback((entry) => (role ? mayCall(role, entry) : false), [role])
}
