import { NativeSelect, TextInput } from '@mantine/core'
import { useFormContext, useWatch } from 'react-hook-form'
import fields from '../../../components/forms/Fields.module.css'
import { registerField, renderFieldLabel } from '../../../components/forms/registerField.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { retrievalModelMessages } from './retrievalModelMessages.ts'
import type { RetrievalSettingsForm } from './retrievalModelForm.ts'

const MODEL_FIELD_NAMES = {
  'text-embedding': { model: 'embedding_model', provider: 'embedding_model_provider' },
  annotation: { model: 'embedding_model_name', provider: 'embedding_provider_name' },
  rerank: { model: 'retrieval_model.reranking_model_name', provider: 'retrieval_model.reranking_provider_name' },
} as const

/** Operation 17 names its model in its own way. */
interface AnnotationReplyModelForm {
  embedding_model_name: string
  embedding_provider_name: string
}

/** A model that a platform lists. */
export interface ListedModel {
  provider: string
  model: string
  status: string | null
}

export interface ModelFieldsProps {
  type: keyof typeof MODEL_FIELD_NAMES
  /** Null where the platform does not list models. */
  models: readonly ListedModel[] | null
}

/**
 * A model and its provider: chosen from what the platform lists, else typed. What is set and not listed stays as it is.
 * Stands in a `FormProvider`.
 */
export function ModelFields({ type, models }: ModelFieldsProps) {
  const t = useMessages(retrievalModelMessages)
  const form = useFormContext<RetrievalSettingsForm & AnnotationReplyModelForm>()
  const names = MODEL_FIELD_NAMES[type]
  const [model, provider] = useWatch({ control: form.control, name: [names.model, names.provider] })
  const listedModels = (models ?? []).map((one) => ({
    ...one,
    label: `${one.model} (${one.provider})${one.status && one.status !== 'active' ? `, ${one.status}` : ''}`,
  }))
  if (listedModels.length === 0)
    return (
      <div className={fields.row}>
        <TextInput
          {...registerField(form, names.model)}
          autoComplete="off"
          description={t(models ? 'noModelsListed' : 'modelHelp')}
        />
        <TextInput {...registerField(form, names.provider)} autoComplete="off" description={t('providerHelp')} />
      </div>
    )
  const at = listedModels.findIndex((one) => one.model === model && one.provider === provider)
  const customModel = at === -1 && model ? [{ value: 'own', label: t('notListed', { model }) }] : []
  const selectModel = (value: string) => {
    const selectedModel = listedModels[Number(value)]
    const options = { shouldDirty: true } as const
    form.setValue(names.model, selectedModel?.model ?? '', options)
    form.setValue(names.provider, selectedModel?.provider ?? '', options)
  }
  return (
    <NativeSelect
      label={renderFieldLabel(names.model)}
      description={t('modelsListed')}
      value={at === -1 ? (model ? 'own' : '') : String(at)}
      onChange={(event) => selectModel(event.currentTarget.value)}
      data={[
        { value: '', label: t('platformChooses') },
        ...customModel,
        ...listedModels.map(({ label }, index) => ({ value: String(index), label })),
      ]}
    />
  )
}
