import type { Endpoint } from './endpoint.ts'
import { contract } from './index.ts'

const { console: _own, ...entriesByNamespace } = contract

/** Every entry of a platform by its name, `documents.list`: the name under which the ledger has its calls. */
export const platformEntries: ReadonlyMap<string, Endpoint> = new Map(
  Object.entries(entriesByNamespace).flatMap(([room, entries]) =>
    Object.entries(entries as Record<string, Endpoint>).map(([name, entry]): [string, Endpoint] => [
      `${room}.${name}`,
      entry,
    ]),
  ),
)
