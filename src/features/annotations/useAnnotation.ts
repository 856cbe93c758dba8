import { contract } from '#contract/index.ts'
import { useRead } from '../../wire/query.ts'
import { type AnnotationRow, rowOfThing } from './useAnnotations.ts'

/** One annotation: as a list has it, else by the last record of it in the ledger; null for one that neither knows. */
export function useAnnotation(workspace: string, annotation_id: string | null, listed: AnnotationRow | null) {
  const seen = useRead(
    contract.console.listThings,
    { query: { kind: 'annotation', workspace, id: annotation_id ?? '', limit: 1 } },
    { enabled: annotation_id !== null && !listed },
  )
  const thing = seen.data?.data.find(({ id }) => id === annotation_id)
  return {
    row: listed ?? (thing ? rowOfThing(thing) : null),
    isPending: annotation_id !== null && !listed && (seen.isPending || seen.isPlaceholderData),
  }
}
