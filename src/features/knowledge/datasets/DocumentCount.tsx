import { resourceEndpoints, type Resource } from '#contract/console/resources.ts'
import { useRead } from '../../../client/query.ts'

/**
 * How many documents a dataset has. The interface answers a dataset's record only where it is created or changed, so the
 * count in it is soon too small: documents that this console has seen since are counted in.
 */
export function DocumentCount({
  resource,
  recordedCount,
}: {
  resource: Resource
  recordedCount: number | null | undefined
}) {
  const ledgerRead = useRead(resourceEndpoints.listResources, {
    query: { kind: 'document', workspace: resource.workspace, parent: resource.id, limit: 1 },
  })
  if (recordedCount == null && !ledgerRead.data?.total) return null
  return <>{Math.max(recordedCount ?? 0, ledgerRead.data?.total ?? 0).toLocaleString()}</>
}
