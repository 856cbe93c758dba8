import { emptyDocument, type TypedDocument } from './typed.ts'

const keyOf = (dataset_id: string) => `loupe.document.${dataset_id}`

/** The draft of a new document, kept in the tab until it is sent. */
export function readDraft(storage: Storage, dataset_id: string): TypedDocument | null {
  try {
    const kept: unknown = JSON.parse(storage.getItem(keyOf(dataset_id)) ?? 'null')
    return kept && typeof kept === 'object' ? { ...emptyDocument, ...kept } : null
  } catch {
    return null
  }
}

/** @returns false where the tab's storage has no room for it. */
export function keepDraft(storage: Storage, dataset_id: string, typed: TypedDocument): boolean {
  try {
    storage.setItem(keyOf(dataset_id), JSON.stringify(typed))
    return true
  } catch {
    return false
  }
}

export const dropDraft = (storage: Storage, dataset_id: string): void => storage.removeItem(keyOf(dataset_id))
