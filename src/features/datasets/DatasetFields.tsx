import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import { useTranslations } from 'use-intl'
import type { z } from 'zod'
import type { DatasetCreate } from '#contract/datasets.ts'
import { IndexingTechnique, Permission, Provider } from '#contract/shapes.ts'
import fields from '../../ui/fields/Fields.module.css'
import { field } from '../../ui/fields/field.ts'
import { RetrievalFields } from './RetrievalFields.tsx'
import type { TypedDataset } from './typed.ts'

export type DatasetForm = UseFormReturn<TypedDataset, unknown, z.output<typeof DatasetCreate>>

/** Every field of operation 1, under its own name. */
export function DatasetFields({ form }: { form: DatasetForm }) {
  const t = useTranslations('datasets')
  const provider = useWatch({ control: form.control, name: 'provider' })
  const choices = (words: readonly string[]) => [{ value: '', label: t('platformChooses') }, ...words]
  return (
    <>
      <TextInput {...field(form, 'name')} description={t('nameHelp')} required data-autofocus autoComplete="off" />
      <Textarea {...field(form, 'description')} description={t('descriptionHelp')} autosize minRows={2} maxRows={6} />
      <div className={fields.row}>
        <NativeSelect {...field(form, 'indexing_technique')} data={choices(IndexingTechnique.options)} />
        <NativeSelect {...field(form, 'permission')} data={choices(Permission.options)} />
        <NativeSelect {...field(form, 'provider')} data={choices(Provider.options)} />
      </div>
      {provider === 'external' ? (
        <div className={fields.row}>
          <TextInput {...field(form, 'external_knowledge_api_id')} description={t('externalHelp')} />
          <TextInput {...field(form, 'external_knowledge_id')} description={t('externalHelp')} />
        </div>
      ) : null}
      <div className={fields.row}>
        <TextInput {...field(form, 'embedding_model')} autoComplete="off" />
        <TextInput {...field(form, 'embedding_model_provider')} autoComplete="off" />
      </div>
      <RetrievalFields form={form} />
    </>
  )
}
