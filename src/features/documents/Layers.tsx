import { Suspense, useState } from 'react'
import type { Key } from '#contract/console.ts'
import type { Speech } from '../../ui/retrieval/retrieval.ts'
import type { Filter } from './export/source.ts'
import type { Layer } from './useLayer.ts'
import type { OnSent } from './useSent.ts'
import { part } from '../../ui/part.tsx'
import { contract } from '#contract/index.ts'
import { useMay } from '../../wire/useMay.ts'

// Forms are loaded when they are first opened.
const AddDocuments = part(async () => (await import('./AddDocuments.tsx')).AddDocuments)
const UpdateDocument = part(async () => (await import('./UpdateDocument.tsx')).UpdateDocument)
const DeleteDocument = part(async () => (await import('./DeleteDocument.tsx')).DeleteDocument)
const ExportDocuments = part(async () => (await import('./export/ExportDocuments.tsx')).ExportDocuments)

export interface LayersProps {
  layer: Layer
  dataset_id: string
  name: string
  workspace: string
  knowledge: Key
  technique: string | null
  heard: Speech | null
  filter: Filter
  total: number
  onSent: OnSent
}

/** What lies over the list of documents, one at a time. */
export function Layers({
  layer,
  dataset_id,
  name,
  workspace,
  knowledge,
  technique,
  heard,
  filter,
  total,
  onSent,
}: LayersProps) {
  const may = useMay()
  const [wasAdding, setWasAdding] = useState(false)
  if (layer.isAdding && !wasAdding) setWasAdding(true)
  return (
    <Suspense>
      {wasAdding ? (
        <AddDocuments
          opened={layer.isAdding}
          onClose={layer.close}
          dataset_id={dataset_id}
          knowledge={knowledge}
          technique={technique}
          heard={heard}
          onSent={onSent}
        />
      ) : null}
      {layer.updated && may(contract.documents.updateByText) ? (
        <UpdateDocument
          key={layer.updated}
          dataset_id={dataset_id}
          document_id={layer.updated}
          by={layer.by}
          onBy={(by) => layer.update(layer.updated ?? '', by)}
          onClose={layer.endUpdate}
          workspace={workspace}
          knowledge={knowledge}
          onSent={onSent}
        />
      ) : null}
      {layer.removed ? (
        <DeleteDocument
          document={layer.removed}
          dataset_id={dataset_id}
          keyId={knowledge.id}
          workspace={workspace}
          onClose={() => layer.remove(null)}
        />
      ) : null}
      {layer.exported === undefined ? null : (
        <ExportDocuments
          dataset_id={dataset_id}
          dataset_name={name}
          document={layer.exported}
          filter={filter}
          total={total}
          workspace={workspace}
          knowledge={knowledge}
          onClose={() => layer.exportOf(undefined)}
        />
      )}
    </Suspense>
  )
}
