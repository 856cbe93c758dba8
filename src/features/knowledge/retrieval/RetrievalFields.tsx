import { NativeSelect, TextInput } from '@mantine/core'
import { Controller, useFormContext, useWatch } from 'react-hook-form'
import fields from '../../../components/forms/Fields.module.css'
import { registerField, renderFieldLabel } from '../../../components/forms/registerField.tsx'
import { FieldLabel, useFieldOptions } from '../../../components/forms/FieldLabel.tsx'
import { SwitchField } from '../../../components/forms/SwitchField.tsx'
import { RangeField } from '../../../components/forms/RangeField.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { retrievalModelMessages } from './retrievalModelMessages.ts'
import {
  ECONOMY_SEARCH_METHOD,
  type RetrievalDialect,
  RETRIEVAL_DIALECTS,
  type RetrievalSettingsForm,
} from './retrievalModelForm.ts'
import { optionalDatasetEndpoints } from '#contract/platform/optionalDatasets.ts'
import { useRead } from '../../../client/query.ts'

export const SEARCH_METHODS = ['semantic_search', 'full_text_search', 'hybrid_search', 'keyword_search']

interface RetrievalFieldsProps {
  detectedDialect: RetrievalDialect | null
  /** Null where the platform does not list models. */
  rerankers: readonly ListedModel[] | null
  /** Whether the stored settings may be written in the other shape. Elsewhere the dialect of the workspace applies. */
  hasDialectChoice?: boolean
}

/** `retrieval_model`, written in the shape that the platform speaks. Stands in a `FormProvider`. */
export function RetrievalFields({ detectedDialect, rerankers, hasDialectChoice = false }: RetrievalFieldsProps) {
  const t = useMessages(retrievalModelMessages)
  const form = useFormContext<RetrievalSettingsForm>()
  const [technique, chosenMethod, threshold, rerank, knownMethods] = useWatch({
    control: form.control,
    name: [
      'indexing_technique',
      'retrieval_model.search_method',
      'retrieval_model.score_threshold_enabled',
      'retrieval_model.reranking_enable',
      'retrieval_model.top_k',
    ],
  })
  const isEconomy = technique === 'economy'
  const method = isEconomy ? ECONOMY_SEARCH_METHOD : chosenMethod
  const toOptions = useFieldOptions()
  const choices = (words: readonly string[]) => [{ value: '', label: t('platformChooses') }, ...toOptions(words)]
  // Unknown values are kept and shown, never mapped.
  const methods = !method || SEARCH_METHODS.includes(method) ? SEARCH_METHODS : [...SEARCH_METHODS, method]
  const range = (name: 'retrieval_model.weights' | 'retrieval_model.score_threshold', ends?: [string, string]) => (
    <Controller
      control={form.control}
      name={name}
      render={({ field: { value, onChange }, fieldState }) => (
        <RangeField
          label={renderFieldLabel(name)}
          description={t(name === 'retrieval_model.weights' ? 'weightsHelp' : 'thresholdHelp')}
          error={fieldState.error?.message}
          value={value}
          onChange={onChange}
          emptyLabel={t('unset')}
          clearLabel={t('unsetDo')}
          {...(ends ? { endLabels: ends } : {})}
        />
      )}
    />
  )
  const flag = (name: 'retrieval_model.score_threshold_enabled' | 'retrieval_model.reranking_enable') => (
    <Controller
      control={form.control}
      name={name}
      render={({ field: { value, onChange } }) => (
        <SwitchField
          label={renderFieldLabel(name)}
          value={value}
          onChange={onChange}
          emptyLabel={t('platformChooses')}
          clearLabel={t('unsetDo')}
        />
      )}
    />
  )
  return (
    <>
      <div className={fields.row}>
        {isEconomy ? (
          <TextInput
            label={<FieldLabel name="search_method" />}
            description={t('economyMethodHelp')}
            value={ECONOMY_SEARCH_METHOD}
            readOnly
          />
        ) : (
          <NativeSelect
            {...registerField(form, 'retrieval_model.search_method')}
            description={t('methodHelp')}
            data={choices(methods)}
          />
        )}
        <TextInput
          {...registerField(form, 'retrieval_model.top_k')}
          description={t('topKHelp')}
          inputMode="numeric"
          autoComplete="off"
          placeholder={knownMethods ? undefined : t('platformChooses')}
        />
      </div>
      {range('retrieval_model.weights', [t('keywordEnd'), t('meaningEnd')])}
      {method && method !== 'hybrid_search' ? <p className={fields.note}>{t('weightsIdle', { method })}</p> : null}
      <div className={fields.row}>
        {flag('retrieval_model.score_threshold_enabled')}
        {threshold === 'false' ? null : range('retrieval_model.score_threshold')}
      </div>
      {flag('retrieval_model.reranking_enable')}
      {rerank === 'false' ? null : <ModelFields type="rerank" models={rerankers} />}
      {hasDialectChoice ? (
        <NativeSelect
          {...form.register('retrieval_model.dialect')}
          label={t('speech')}
          description={t('speechHelp')}
          data={[
            { value: '', label: t('speechHeard', { speech: t(detectedDialect ?? 'unheard') }) },
            ...RETRIEVAL_DIALECTS.map((dialect) => ({ value: dialect, label: t(dialect) })),
          ]}
        />
      ) : null}
    </>
  )
}

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

interface ListedModel {
  provider: string
  model: string
  status: string | null
}

interface ModelFieldsProps {
  type: keyof typeof MODEL_FIELD_NAMES
  /** Null where the platform does not list models. */
  models: readonly ListedModel[] | null
}

/**
 * A model and its provider: chosen from the platform's list, else typed. An unlisted current value is kept. Needs a
 * `FormProvider`.
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

/**
 * The models of a kind that the platform lists; null if it does not.
 * @param keyId the key that the platform lists them to
 */
export function useModels(keyId: string | undefined, type: 'text-embedding' | 'rerank') {
  const { data } = useRead(
    optionalDatasetEndpoints.listModels,
    { key: keyId, params: { model_type: type } },
    { enabled: keyId !== undefined },
  )
  if (!data) return null
  return (data.data ?? []).flatMap((one) =>
    (one.models ?? []).map(({ model, status }) => ({
      provider: one.provider ?? '',
      model: model ?? '',
      status: status ?? null,
    })),
  )
}
