import type { Thing } from '#contract/console.ts'
import { contract } from '#contract/index.ts'
import { useRead } from '../../wire/query.ts'

/**
 * How many documents a dataset has. The interface answers a dataset's record only where it is created or changed, so the
 * count in it is soon too small: documents that this console has seen since are counted in.
 */
export function DocumentCount({ thing, recorded }: { thing: Thing; recorded: number | null | undefined }) {
  const seen = useRead(contract.console.listThings, {
    query: { kind: 'document', workspace: thing.workspace, parent: thing.id, limit: 1 },
  })
  if (recorded == null && !seen.data?.total) return null
  return <>{Math.max(recorded ?? 0, seen.data?.total ?? 0).toLocaleString()}</>
}
