import { useSyncExternalStore } from 'react'
import { retryImport } from '../layout/retryImport.ts'

const listeners = new Set<() => void>()
let hasNotices = false

/** Says for 5 s at the bottom right that an action has succeeded. A failure is shown where it happened. */
export function notify(text: string): void {
  hasNotices = true
  for (const listener of listeners) listener()
  void retryImport(() => import('./NoticeHost.tsx')).then(({ showNotice }) => showNotice(text))
}

export const useHasNotices = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => hasNotices,
  )
