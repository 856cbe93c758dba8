import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { deleteFormDraft, saveFormDraft } from './formDraftStorage.ts'

export interface FormDraft {
  /** False if the input is too long for session storage. */
  isSaved: boolean
  discard: () => void
}

/**
 * Stores the input of a form in session storage. The form starts with `readFormDraft`. `toStored` picks what is
 * stored. Without it, all values are stored. Without a name nothing is stored.
 */
export function useFormDraft<Values extends FieldValues, Sent>(
  { subscribe }: UseFormReturn<Values, unknown, Sent>,
  name: string | undefined,
  toStored: (values: object) => object = (values) => values,
): FormDraft {
  const [isKept, setSaved] = useState(true)
  const save = useDebouncedCallback(
    (values: object) => {
      if (name !== undefined) setSaved(saveFormDraft(sessionStorage, name, toStored(values)))
    },
    { delay: 300, flushOnUnmount: true },
  )
  useEffect(
    () =>
      subscribe({
        formState: { values: true, dirtyFields: true },
        callback: (change) => {
          if (change.name) save(change.values)
        },
      }),
    [subscribe, save],
  )
  // Leaving or reloading the page unmounts nothing.
  useEffect(() => {
    const flush = () => save.flush()
    window.addEventListener('pagehide', flush)
    return () => window.removeEventListener('pagehide', flush)
  }, [save])
  return {
    isSaved: isKept,
    discard: () => {
      save.cancel()
      if (name !== undefined) deleteFormDraft(sessionStorage, name)
    },
  }
}
