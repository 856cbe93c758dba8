import { platformEntries } from '#contract/platformEntries.ts'
import type { CallQuery } from '#contract/console/calls.ts'
import type { CallFilterName, CallFilterValues } from '../runs/callFilters/callFilterParams.ts'

/** The filters of the ledger. */
export const LEDGER_FILTERS = [
  'q',
  'app',
  'entry',
  'status',
  'person',
  'resource',
  'from',
  'to',
] as const satisfies CallFilterName[]

/** The operations that are recorded as calls; plain reads are not. */
export const LEDGER_OPERATIONS = [...platformEntries]
  .filter(([, { method }]) => method !== 'GET')
  .map(([name]) => ({ value: name, label: name }))

/** The filters as query parameters. The server rejects unknown ones by name. */
export const toLedgerQuery = ({ app, ...rest }: CallFilterValues, workspace: string): CallQuery =>
  ({ ...rest, workspace, key: app }) as CallQuery
