import { NativeSelect, TextInput } from '@mantine/core'
import { useTranslations } from 'use-intl'
import fields from '../../ui/fields/Fields.module.css'
import { field } from '../../ui/fields/field.ts'
import type { DatasetForm } from './DatasetFields.tsx'

const METHODS = ['semantic_search', 'full_text_search', 'hybrid_search', 'keyword_search']

/** `retrieval_model`, folded: few need it when a dataset is new. It opens itself where a field in it is wrong. */
export function RetrievalFields({ form }: { form: DatasetForm }) {
  const t = useTranslations('datasets')
  const choices = (words: readonly string[]) => [{ value: '', label: t('platformChooses') }, ...words]
  const flags = choices(['true', 'false'])
  const isWrong = form.formState.errors.retrieval_model !== undefined
  return (
    <details className={fields.fold} open={isWrong || undefined}>
      <summary>{t('retrieval')}</summary>
      <div>
        <p>{t('retrievalHelp')}</p>
        <div className={fields.row}>
          <NativeSelect {...field(form, 'retrieval_model.search_method')} data={choices(METHODS)} />
          <TextInput {...field(form, 'retrieval_model.top_k')} description={t('topKHelp')} inputMode="numeric" />
        </div>
        <div className={fields.row}>
          <NativeSelect {...field(form, 'retrieval_model.score_threshold_enabled')} data={flags} />
          <TextInput
            {...field(form, 'retrieval_model.score_threshold')}
            placeholder={t('ratioHelp')}
            inputMode="decimal"
          />
        </div>
        <div className={fields.row}>
          <NativeSelect {...field(form, 'retrieval_model.reranking_enable')} data={flags} />
          <TextInput {...field(form, 'retrieval_model.weights')} placeholder={t('ratioHelp')} inputMode="decimal" />
        </div>
        <div className={fields.row}>
          <TextInput {...field(form, 'retrieval_model.reranking_mode.reranking_provider_name')} autoComplete="off" />
          <TextInput {...field(form, 'retrieval_model.reranking_mode.reranking_model_name')} autoComplete="off" />
        </div>
      </div>
    </details>
  )
}
