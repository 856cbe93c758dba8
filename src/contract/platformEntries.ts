import type { Endpoint } from './endpoint.ts'
import { contract } from './index.ts'

const { console: _own, ...entriesByNamespace } = contract

/** Every platform entry by its name, for example `documents.list`, which is also its name in the ledger. */
export const platformEntries: ReadonlyMap<string, Endpoint> = new Map(
  Object.entries(entriesByNamespace).flatMap(([room, entries]) =>
    Object.entries(entries as Record<string, Endpoint>).map(([name, entry]): [string, Endpoint] => [
      `${room}.${name}`,
      entry,
    ]),
  ),
)

/** The entry of a request and its name; null if the contract has none. A query is ignored. */
export function findPlatformEntry(method: string, path: string): { name: string; entry: Endpoint } | null {
  const steps = (path.split('?')[0] ?? '').split('/')
  for (const [name, entry] of platformEntries) {
    const pattern = entry.path.split('/')
    if (entry.method !== method || pattern.length !== steps.length) continue
    const isParam = (index: number) => pattern[index]?.startsWith(':') ?? false
    if (!steps.every((step, index) => isParam(index) || step === pattern[index])) continue
    const params = steps.flatMap((step, index) => (isParam(index) ? [[pattern[index]?.slice(1), step]] : []))
    if (entry.params.safeParse(Object.fromEntries(params)).success) return { name, entry }
  }
  return null
}
