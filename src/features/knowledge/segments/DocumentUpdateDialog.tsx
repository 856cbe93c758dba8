import { Suspense } from 'react'
import { documentEndpoints } from '#contract/platform/documents.ts'
import type { Key } from '#contract/console/workspaces.ts'
import { usePermission } from '../../../client/usePermission.ts'
import { useSearchParamState } from '../../../components/hooks/useSearchParamState.ts'
import { lazyWithPreload } from '../../../components/layout/lazyWithPreload.tsx'
import { useSaveEstimate } from '../chunkLab/useSavedEstimate.ts'

const LazyUpdateDocument = lazyWithPreload(
  async () => (await import('../documents/forms/UpdateDocument.tsx')).UpdateDocument,
)

export interface DocumentUpdateDialogProps {
  dataset_id: string
  document_id: string
  workspace: string
  knowledge: Key
  technique: string | null
}

/** The update of a document on its own page (`?update=text`), which one does not leave for it. */
export function DocumentUpdateDialog({ workspace, knowledge, ...target }: DocumentUpdateDialogProps) {
  const can = usePermission()
  const url = useSearchParamState()
  const { keep: saveEstimate } = useSaveEstimate(workspace)
  const source = url.get('update')
  if (source === undefined || !can(documentEndpoints.updateByText)) return null
  return (
    <Suspense>
      <LazyUpdateDocument
        {...target}
        workspace={workspace}
        knowledge={knowledge}
        source={source === 'file' ? 'file' : 'text'}
        onSource={(update) => url.set({ update })}
        onClose={() => url.set({ update: null })}
        onSent={(id, estimate) => saveEstimate(id, estimate)}
      />
    </Suspense>
  )
}
