import { Suspense } from 'react'
import type { Key } from '#contract/console/consoleEndpoints.ts'
import { contract } from '#contract/index.ts'
import { usePermission } from '../../../client/usePermission.ts'
import { lazyWithPreload } from '../../../components/layout/lazyWithPreload.tsx'
import { useSaveEstimate } from '../chunkLab/useSavedEstimate.ts'

const LazyUpdateDocument = lazyWithPreload(
  async () => (await import('../documents/forms/UpdateDocument.tsx')).UpdateDocument,
)

export interface DocumentUpdateProps {
  dataset_id: string
  document_id: string
  workspace: string
  knowledge: Key
  technique: string | null
  /** Of the URL (`?update=text`); undefined while nothing is updated. */
  source: string | undefined
  onSource: (source: 'text' | 'file' | null) => void
}

/** The update of a document on its own page, which one does not leave for it. */
export function DocumentUpdate(props: DocumentUpdateProps) {
  const { document_id, workspace, source, onSource, ...target } = props
  const can = usePermission()
  const { keep: saveEstimate } = useSaveEstimate(workspace)
  if (source === undefined || !can(contract.documents.updateByText)) return null
  return (
    <Suspense>
      <LazyUpdateDocument
        {...target}
        document_id={document_id}
        workspace={workspace}
        source={source === 'file' ? 'file' : 'text'}
        onSource={onSource}
        onClose={() => onSource(null)}
        onSent={(id, estimate) => saveEstimate(id, estimate)}
      />
    </Suspense>
  )
}
