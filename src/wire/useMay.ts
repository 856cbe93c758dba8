import type { Endpoint } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'
import { mayCall } from '#contract/roles.ts'
import { useRead } from './query.ts'

/** Whether the person who is signed in may call an entry, by the table that the server goes by. What they may not is not drawn. */
export function useMay(): (entry: Pick<Endpoint, 'permission'>) => boolean {
  const { data } = useRead(contract.console.session, {})
  return (entry) => (data ? mayCall(data.person.role, entry) : false)
}
