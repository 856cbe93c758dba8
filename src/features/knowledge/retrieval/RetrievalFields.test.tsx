import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { FormProvider, useForm, useWatch } from 'react-hook-form'
import { expect, test } from 'vitest'
import { renderPage } from '../../../client/page.testing.tsx'
import { ModelFields } from './RetrievalFields.tsx'
import { emptyRetrievalForm, type RetrievalSettingsForm } from './retrievalModelForm.ts'

const MODELS = [
  { provider: 'acme', model: 'mini', status: 'active' },
  { provider: 'acme', model: 'large', status: 'no-configure' },
]

function Form() {
  const form = useForm<RetrievalSettingsForm>({
    defaultValues: { embedding_model: 'older', embedding_model_provider: '', retrieval_model: emptyRetrievalForm },
  })
  const chosen = useWatch({ control: form.control, name: ['embedding_model', 'embedding_model_provider'] })
  return (
    <FormProvider {...form}>
      <ModelFields type="text-embedding" models={MODELS} />
      <output>{chosen.join(' of ')}</output>
    </FormProvider>
  )
}

test('a listed model is chosen with its provider; one that is set and not listed stays until then', async () => {
  renderPage(<Form />)
  const field = screen.getByRole<HTMLSelectElement>('combobox', { name: /embedding_model/ })
  expect(field.selectedOptions[0]?.text).toBe('older, not listed by the platform')
  await userEvent.selectOptions(field, 'large (acme), no-configure')
  expect(screen.getByRole('status').textContent).toBe('large of acme')
})
