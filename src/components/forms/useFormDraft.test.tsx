import { act, renderHook } from '@testing-library/react'
import { useForm } from 'react-hook-form'
import { expect, test } from 'vitest'
import { readFormDraft } from './formDraftStorage.ts'
import { useFormDraft } from './useFormDraft.ts'

test('what was typed right before the page is loaded again is kept', () => {
  const { result } = renderHook(() => {
    const form = useForm({ defaultValues: { description: '' } })
    useFormDraft(form, 'dataset.1')
    return form
  })
  act(() => {
    result.current.register('description')
    result.current.setValue('description', 'Too late as well', { shouldDirty: true })
  })
  window.dispatchEvent(new Event('pagehide'))
  expect(readFormDraft(sessionStorage, 'dataset.1')).toMatchObject({ description: 'Too late as well' })
})
