import { NativeSelect, TextInput } from '@mantine/core'
import type { UseFormReturn } from 'react-hook-form'
import { useWatch } from 'react-hook-form'
import { useTranslations } from 'use-intl'
import { contract } from '#contract/index.ts'
import fields from '../../ui/fields/Fields.module.css'
import { field } from '../../ui/fields/field.ts'
import { useRead } from '../../wire/query.ts'
import type { TypedDataset } from './typed.ts'

const NAMES = {
  'text-embedding': { model: 'embedding_model', provider: 'embedding_model_provider' },
  rerank: { model: 'retrieval_model.reranking_model_name', provider: 'retrieval_model.reranking_provider_name' },
} as const

export interface ModelFieldsProps<Sent> {
  form: UseFormReturn<TypedDataset, unknown, Sent>
  type: keyof typeof NAMES
  /** The knowledge key, where its platform lists models. */
  listedBy: string | undefined
}

/** A model and its provider: chosen from what the platform lists, else typed. What is set and not listed stays as it is. */
export function ModelFields<Sent>({ form, type, listedBy }: ModelFieldsProps<Sent>) {
  const t = useTranslations('datasets')
  const names = NAMES[type]
  const { data } = useRead(
    contract.adjacent.listModels,
    { key: listedBy, params: { model_type: type } },
    { enabled: listedBy !== undefined },
  )
  const [model, provider] = useWatch({ control: form.control, name: [names.model, names.provider] })
  const listed = (data?.data ?? []).flatMap((one) =>
    (one.models ?? []).map((each) => ({
      provider: one.provider ?? '',
      model: each.model ?? '',
      label: `${each.model ?? ''} (${one.provider ?? ''})${each.status && each.status !== 'active' ? `, ${each.status}` : ''}`,
    })),
  )
  if (listed.length === 0)
    return (
      <div className={fields.row}>
        <TextInput
          {...field(form, names.model)}
          autoComplete="off"
          description={listedBy !== undefined && data ? t('noModelsListed') : undefined}
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
