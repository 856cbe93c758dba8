import { platformEntries } from '#contract/entries.ts'
import type { CallFilters } from '#contract/calls.ts'
import type { Filter, Filters } from '../../run/filters/filters.ts'

/** The filters of the ledger. */
export const LEDGER_FILTERS = [
  'q',
  'app',
  'entry',
  'status',
  'person',
  'thing',
  'from',
  'to',
] as const satisfies Filter[]

/** The operations that leave a call behind; plain reads do not. */
export const OPERATIONS = [...platformEntries]
  .filter(([, { method }]) => method !== 'GET')
  .map(([name]) => ({ value: name, label: name }))

/** The filters as the server takes them. What it does not know it refuses by name. */
export const queryOf = ({ app, ...rest }: Filters, workspace: string): CallFilters =>
  ({ ...rest, workspace, key: app }) as CallFilters
