import type { z } from 'zod'
import { Dataset } from '#contract/platform/schemas.ts'
import type { Resource } from '#contract/console/resources.ts'

/** The platform's last record of a dataset, or null where it was only named. */
export function parseDatasetRecord(resource: Resource): z.output<typeof Dataset> | null {
  const record = Dataset.safeParse(resource.payload)
  return record.success ? record.data : null
}
