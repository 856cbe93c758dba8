import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { FormProvider, useForm } from 'react-hook-form'
import { expect, test } from 'vitest'
import { newQueryClient } from '../../../client/query.ts'
import { RetrievalFields } from './RetrievalFields.tsx'
import { TestSettingFields } from './TestSettingFields.tsx'
import { emptyRetrievalForm, type RetrievalSettingsForm } from './retrievalModelForm.ts'

test('the summary names what differs by its label and its field, and the format is not asked for', () => {
  draw('test')
  expect(screen.getByText('Settings').textContent).toBe(
    'SettingsSearch method search_method Hybrid search (hybrid_search), ' +
      'Maximum results top_k 8, Rerank the results reranking_enable cleared',
  )
  expect(screen.queryByRole('combobox', { name: 'Format' })).toBeNull()
})

test('the settings of a dataset offer the format', () => {
  draw('dataset')
  expect(screen.getByRole('combobox', { name: 'Format' })).toBeDefined()
})

function draw(place: 'test' | 'dataset') {
  const Fields = () => {
    const form = useForm<RetrievalSettingsForm>({
      defaultValues: { embedding_model: '', embedding_model_provider: '', retrieval_model: emptyRetrievalForm },
    })
    if (place === 'dataset')
      return (
        <FormProvider {...form}>
          <RetrievalFields detectedDialect={null} rerankers={null} hasDialectChoice />
        </FormProvider>
      )
    return (
      <TestSettingFields
        form={form}
        title="Settings"
        settings={{ search_method: 'hybrid_search', top_k: '8', reranking_enable: '' }}
        dialect={null}
        modelListKeyId={undefined}
      />
    )
  }
  render(
    <MantineProvider>
      <QueryClientProvider client={newQueryClient()}>
        <Fields />
      </QueryClientProvider>
    </MantineProvider>,
  )
}
