import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { FormProvider, useForm, type UseFormReturn } from 'react-hook-form'
import { expect, test } from 'vitest'
import { type ListedModel, ModelFields } from './ModelFields.tsx'
import { emptyRetrievalForm, type RetrievalSettingsForm } from './retrievalModelForm.ts'
import { renderPage } from '../../../client/page.testing.tsx'

const listed: ListedModel[] = [
  { provider: 'acme', model: 'mini', status: 'active' },
  { provider: 'acme', model: 'large', status: 'no-configure' },
]

test('a model that the platform lists is chosen with its provider', async () => {
  const form = draw(listed, '')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: /embedding_model/ }), 'mini (acme)')
  expect([form().getValues('embedding_model'), form().getValues('embedding_model_provider')]).toEqual(['mini', 'acme'])
  expect(screen.getByRole('option', { name: 'large (acme), no-configure' })).toBeDefined()
})

test('where the platform lists none, or no list at all, both are typed', async () => {
  for (const models of [[], null]) {
    const form = draw(models, '')
    await userEvent.type(screen.getByRole('textbox', { name: /embedding_model$/ }), 'mini')
    await userEvent.type(screen.getByRole('textbox', { name: /embedding_model_provider$/ }), 'acme')
    expect(form().getValues()).toMatchObject({ embedding_model: 'mini', embedding_model_provider: 'acme' })
    unmount()
  }
})

let unmount: () => void

function draw(models: readonly ListedModel[] | null, embedding_model: string) {
  const held: { form?: UseFormReturn<RetrievalSettingsForm> } = {}
  const Held = () => {
    const defaultValues = { embedding_model, embedding_model_provider: '', retrieval_model: emptyRetrievalForm }
    const form = useForm<RetrievalSettingsForm>({ defaultValues })
    held.form = form
    return (
      <FormProvider {...form}>
        <ModelFields type="text-embedding" models={models} />
      </FormProvider>
    )
  }
  ;({ unmount } = renderPage(<Held />))
  return () => held.form as UseFormReturn<RetrievalSettingsForm>
}
