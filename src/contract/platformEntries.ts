import type { Endpoint } from './endpoint.ts'
import { contract } from './index.ts'

const { console: _own, ...entriesByNamespace } = contract

/** Every platform entry by its name, `documents.list`, which is also its name in the ledger. */
export const platformEntries: ReadonlyMap<string, Endpoint> = new Map(
  Object.entries(entriesByNamespace).flatMap(([room, entries]) =>
    Object.entries(entries as Record<string, Endpoint>).map(([name, entry]): [string, Endpoint] => [
      `${room}.${name}`,
      entry,
    ]),
  ),
)
