import { Suspense } from 'react'
import { lazyWithPreload } from '../../../components/layout/lazyWithPreload.tsx'
import type { VersionFieldProps } from './VersionField.tsx'

const LazyVersionField = lazyWithPreload(async () => (await import('./VersionField.tsx')).VersionField)

/** Chooses the version of the next run. Nothing where it cannot be chosen, which most apps are. */
export function VersionSelect(props: VersionFieldProps) {
  if (!props.version.canPin) return null
  return (
    <Suspense>
      <LazyVersionField {...props} />
    </Suspense>
  )
}
