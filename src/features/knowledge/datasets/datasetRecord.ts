import type { z } from 'zod'
import type { Resource } from '#contract/console/consoleEndpoints.ts'
import { Dataset } from '#contract/platform/schemas.ts'

/** The platform's last record of a dataset, or null where it was only named. */
export function parseDatasetRecord(resource: Resource): z.output<typeof Dataset> | null {
  const record = Dataset.safeParse(resource.payload)
  return record.success ? record.data : null
}
