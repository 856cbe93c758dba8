import type { z } from 'zod'
import type { Thing } from '#contract/console.ts'
import { Dataset } from '#contract/shapes.ts'

/** The platform's last record of a dataset, or null where it was only named. */
export function recordOf(thing: Thing): z.output<typeof Dataset> | null {
  const record = Dataset.safeParse(thing.payload)
  return record.success ? record.data : null
}
