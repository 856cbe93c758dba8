import { NativeSelect, TextInput } from '@mantine/core'
import { useFormContext, useWatch } from 'react-hook-form'
import fields from '../fields/Fields.module.css'
import { field } from '../fields/field.ts'
import { useWords } from '../words.ts'
import { retrievalModelWords } from './messages.ts'
import type { TypedSettings } from './retrieval.ts'

const NAMES = {
  'text-embedding': { model: 'embedding_model', provider: 'embedding_model_provider' },
  annotation: { model: 'embedding_model_name', provider: 'embedding_provider_name' },
  rerank: { model: 'retrieval_model.reranking_model_name', provider: 'retrieval_model.reranking_provider_name' },
} as const

/** Operation 17 names its model in its own way. */
interface TypedReply {
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
  type: keyof typeof NAMES
  /** Null where the platform does not list models. */
  models: readonly ListedModel[] | null
}

/**
 * A model and its provider: chosen from what the platform lists, else typed. What is set and not listed stays as it is.
 * Stands in a `FormProvider`.
 */
export function ModelFields({ type, models }: ModelFieldsProps) {
  const t = useWords(retrievalModelWords)
  const form = useFormContext<TypedSettings & TypedReply>()
  const names = NAMES[type]
  const [model, provider] = useWatch({ control: form.control, name: [names.model, names.provider] })
  const listed = (models ?? []).map((one) => ({
    ...one,
    label: `${one.model} (${one.provider})${one.status && one.status !== 'active' ? `, ${one.status}` : ''}`,
  }))
  if (listed.length === 0)
    return (
      <div className={fields.row}>
        <TextInput
          {...field(form, names.model)}
          autoComplete="off"
          description={t(models ? 'noModelsListed' : 'modelHelp')}
        />
        <TextInput {...field(form, names.provider)} autoComplete="off" description={t('providerHelp')} />
      </div>
    )
  const at = listed.findIndex((one) => one.model === model && one.provider === provider)
  const own = at === -1 && model ? [{ value: 'own', label: t('notListed', { model }) }] : []
  const choose = (value: string) => {
    const chosen = listed[Number(value)]
    const options = { shouldDirty: true } as const
    form.setValue(names.model, chosen?.model ?? '', options)
    form.setValue(names.provider, chosen?.provider ?? '', options)
  }
  return (
    <NativeSelect
      label={names.model.split('.').at(-1)}
      description={t('modelsListed')}
      value={at === -1 ? (model ? 'own' : '') : String(at)}
      onChange={(event) => choose(event.currentTarget.value)}
      data={[
        { value: '', label: t('platformChooses') },
        ...own,
        ...listed.map(({ label }, index) => ({ value: String(index), label })),
      ]}
    />
  )
}
