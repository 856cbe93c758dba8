import { act, renderHook } from '@testing-library/react'
import { useForm } from 'react-hook-form'
import { expect, test } from 'vitest'
import { readDraft } from './draft.ts'
import { useDraft } from './useDraft.ts'

test('what was typed right before the page is loaded anew is kept', () => {
  const { result } = renderHook(() => {
    const form = useForm({ defaultValues: { description: '' } })
    useDraft(form, 'dataset.1')
    return form
  })
  act(() => {
    result.current.register('description')
    result.current.setValue('description', 'Too late as well', { shouldDirty: true })
  })
  window.dispatchEvent(new Event('pagehide'))
  expect(readDraft(sessionStorage, 'dataset.1')).toMatchObject({ description: 'Too late as well' })
})
