import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { deleteFormDraft, saveFormDraft } from './formDraftStorage.ts'

export interface FormDraft {
  /** False where what is typed is too long to be kept in the tab. */
  isSaved: boolean
  discard: () => void
}

/** Keeps what is typed into a form in the tab, under a name. The form begins with `readDraft`. */
export function useFormDraft<Values extends FieldValues, Sent>(
  { subscribe }: UseFormReturn<Values, unknown, Sent>,
  name: string,
): FormDraft {
  const [isKept, setSaved] = useState(true)
  const save = useDebouncedCallback((values: object) => setSaved(saveFormDraft(sessionStorage, name, values)), {
    delay: 300,
    flushOnUnmount: true,
  })
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
  // A page that is left or loaded anew unmounts nothing.
  useEffect(() => {
    const flush = () => save.flush()
    window.addEventListener('pagehide', flush)
    return () => window.removeEventListener('pagehide', flush)
  }, [save])
  return {
    isSaved: isKept,
    discard: () => {
      save.cancel()
      deleteFormDraft(sessionStorage, name)
    },
  }
}
