import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { dropDraft, keepDraft } from './draft.ts'

export interface Draft {
  /** False where what is typed is too long to be kept in the tab. */
  isKept: boolean
  drop: () => void
}

/** Keeps what is typed into a form in the tab, under a name. The form begins with `readDraft`. */
export function useDraft<Values extends FieldValues, Sent>(
  { subscribe }: UseFormReturn<Values, unknown, Sent>,
  name: string,
): Draft {
  const [isKept, setKept] = useState(true)
  const keep = useDebouncedCallback((values: object) => setKept(keepDraft(sessionStorage, name, values)), {
    delay: 300,
    flushOnUnmount: true,
  })
  useEffect(
    () =>
      subscribe({
        formState: { values: true, dirtyFields: true },
        callback: (change) => {
          if (change.name) keep(change.values)
        },
      }),
    [subscribe, keep],
  )
  // A page that is left or loaded anew unmounts nothing.
  useEffect(() => {
    const flush = () => keep.flush()
    window.addEventListener('pagehide', flush)
    return () => window.removeEventListener('pagehide', flush)
  }, [keep])
  return {
    isKept,
    drop: () => {
      keep.cancel()
      dropDraft(sessionStorage, name)
    },
  }
}
