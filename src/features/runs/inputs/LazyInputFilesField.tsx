import { Suspense } from 'react'
import { lazyWithPreload } from '../../../components/layout/lazyWithPreload.tsx'
import { SkeletonRows } from '../../../components/layout/SkeletonRows.tsx'
import type { InputFilesFieldProps } from './InputFilesField.tsx'

const InputFilesField = lazyWithPreload(async () => (await import('./InputFilesField.tsx')).InputFilesField)

/** The files of a variable, or of the message; its code loads when it is shown. */
export function LazyInputFilesField(props: InputFilesFieldProps) {
  return (
    <Suspense fallback={<SkeletonRows rows={1} height={30} />}>
      <InputFilesField {...props} />
    </Suspense>
  )
}
