import { resourceEndpoints } from '#contract/console/resources.ts'
import { useRead } from '../../client/query.ts'
import { type AnnotationRow, toAnnotationRowFromResource } from './useAnnotations.ts'

/** One annotation: from the list, else from its last record in the ledger; null if unknown. */
export function useAnnotation(workspace: string, annotation_id: string | null, listedRow: AnnotationRow | null) {
  const ledgerRead = useRead(
    resourceEndpoints.listResources,
    { query: { kind: 'annotation', workspace, id: annotation_id ?? '', limit: 1 } },
    { enabled: annotation_id !== null && !listedRow },
  )
  const resource = ledgerRead.data?.data.find(({ id }) => id === annotation_id)
  return {
    row: listedRow ?? (resource ? toAnnotationRowFromResource(resource) : null),
    isPending: annotation_id !== null && !listedRow && ledgerRead.isPending,
  }
}
