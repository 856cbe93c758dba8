import { contract } from '#contract/index.ts'
import { useRead } from '../../client/query.ts'
import { type AnnotationRow, toAnnotationRowFromResource } from './useAnnotations.ts'

/** One annotation: as a list has it, else by the last record of it in the ledger; null for one that neither knows. */
export function useAnnotation(workspace: string, annotation_id: string | null, listedRow: AnnotationRow | null) {
  const ledgerRead = useRead(
    contract.console.listResources,
    { query: { kind: 'annotation', workspace, id: annotation_id ?? '', limit: 1 } },
    { enabled: annotation_id !== null && !listedRow },
  )
  const resource = ledgerRead.data?.data.find(({ id }) => id === annotation_id)
  return {
    row: listedRow ?? (resource ? toAnnotationRowFromResource(resource) : null),
    isPending: annotation_id !== null && !listedRow && (ledgerRead.isPending || ledgerRead.isPlaceholderData),
  }
}
