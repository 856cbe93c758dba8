import { type ReactNode, Suspense, useState } from 'react'
import { lazyWithPreload } from '../layout/lazyWithPreload.tsx'
import { useHasNotices } from './notify.ts'
import { type AskedQuestion, DeleteDialogContext } from './useDeleteDialog.ts'

const LazyDeleteDialogHost = lazyWithPreload(async () => (await import('./DeleteDialogHost.tsx')).DeleteDialogHost)
const LazyNoticeHost = lazyWithPreload(async () => (await import('./NoticeHost.tsx')).NoticeHost)

/** Draws what `useDeleteDialog` asks and `notify` says. Both load with their first use. */
export function OverlayProvider({ children }: { children: ReactNode }) {
  const [asked, setAsked] = useState<AskedQuestion | null>(null)
  const [hasAsked, setHasAsked] = useState(false)
  if (asked && !hasAsked) setHasAsked(true)
  const hasNotices = useHasNotices()
  return (
    <DeleteDialogContext value={setAsked}>
      {children}
      <Suspense>
        {hasAsked ? <LazyDeleteDialogHost asked={asked} onClose={() => setAsked(null)} /> : null}
        {hasNotices ? <LazyNoticeHost /> : null}
      </Suspense>
    </DeleteDialogContext>
  )
}
