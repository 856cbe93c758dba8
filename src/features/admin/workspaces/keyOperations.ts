import { acceptsKeyKind } from '#contract/endpoint.ts'
import { platformEntries } from '#contract/platformEntries.ts'
import type { Capability, CapabilityState, Key } from '#contract/console/workspaces.ts'

/** An operation that a key of this kind can call, and what is known of it. */
export interface KeyOperation {
  name: string
  method: string
  path: string
  isOptional: boolean
  state: CapabilityState | 'unknown'
  capability: Capability | null
}

/** Every operation for a key, of the interface and beyond it, in the order of the contract. */
export function listKeyOperations({ kind, capabilities }: Pick<Key, 'kind' | 'capabilities'>): KeyOperation[] {
  return [...platformEntries].flatMap(([entryName, { key, method, path, optional }]) => {
    if (!acceptsKeyKind(kind, key)) return []
    const name = entryName.replace(/^adjacent\./, '')
    const capability = capabilities[name] ?? null
    return [{ name, method, path, isOptional: optional, state: capability?.state ?? 'unknown', capability }]
  })
}

export const countStates = (operations: readonly KeyOperation[]) => {
  const count = (state: KeyOperation['state']) => operations.filter((one) => one.state === state).length
  return {
    offered: count('offered'),
    refused: count('refused'),
    broken: count('broken'),
    missing: count('missing'),
    unknown: count('unknown'),
  }
}
