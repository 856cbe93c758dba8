import '@mantine/core/styles/Pill.css'
import '@mantine/core/styles/PillsInput.css'
import { NativeSelect, TagsInput, Textarea, TextInput } from '@mantine/core'
import { Controller, FormProvider, type UseFormReturn, useWatch } from 'react-hook-form'
import { IndexingTechnique, DatasetPermission, DatasetProvider } from '#contract/platform/schemas.ts'
import fields from '../../../components/forms/Fields.module.css'
import { FieldLabel, useFieldOptions } from '../../../components/forms/FieldLabel.tsx'
import { registerField } from '../../../components/forms/registerField.tsx'
import { ModelFields, RetrievalFields, useModels } from '../retrieval/RetrievalFields.tsx'
import type { RetrievalDialect } from '../retrieval/retrievalModelForm.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { datasetMessages } from './messages.ts'
import type { DatasetForm } from './datasetForm.ts'

export interface DatasetFieldsProps<Sent> {
  form: UseFormReturn<DatasetForm, unknown, Sent>
  /** Operation 1 sets the provider, operation 2 the members. */
  mode: 'create' | 'update'
  dialect: RetrievalDialect | null
  /** The knowledge key, where its platform lists models. */
  modelListKeyId: string | undefined
}

/** Every field of operation 1 or 2, under its own name. */
export function DatasetFields<Sent>({ form, mode, dialect, modelListKeyId }: DatasetFieldsProps<Sent>) {
  const t = useMessages(datasetMessages)
  const [provider, permission] = useWatch({ control: form.control, name: ['provider', 'permission'] })
  const isNew = mode === 'create'
  const toOptions = useFieldOptions()
  const choices = (words: readonly string[], statusText = '') => [
    { value: '', label: t(isNew ? 'platformChooses' : 'notGiven') },
    ...toOptions(statusText && !words.includes(statusText) ? [...words, statusText] : words),
  ]
  const embedders = useModels(modelListKeyId, 'text-embedding')
  const rerankers = useModels(modelListKeyId, 'rerank')
  const retrieval = <RetrievalFields detectedDialect={dialect} rerankers={rerankers} hasDialectChoice={!isNew} />
  return (
    <FormProvider {...form}>
      <TextInput
        {...registerField(form, 'name')}
        description={t('nameHelp')}
        required
        data-autofocus
        autoComplete="off"
      />
      <Textarea
        {...registerField(form, 'description')}
        description={t('descriptionHelp')}
        autosize
        minRows={2}
        maxRows={6}
      />
      <div className={fields.row}>
        <NativeSelect {...registerField(form, 'indexing_technique')} data={choices(IndexingTechnique.options)} />
        <NativeSelect {...registerField(form, 'permission')} data={choices(DatasetPermission.options, permission)} />
        {isNew ? <NativeSelect {...registerField(form, 'provider')} data={choices(DatasetProvider.options)} /> : null}
      </div>
      {permission === 'partial_members' ? (
        isNew ? (
          <p className={fields.note}>{t('membersLater')}</p>
        ) : (
          <Controller
            control={form.control}
            name="partial_member_list"
            render={({ field: { value, onChange, onBlur, ref }, fieldState }) => (
              <TagsInput
                ref={ref}
                label={<FieldLabel name="partial_member_list" />}
                description={t('membersHelp')}
                value={value}
                onChange={onChange}
                onBlur={onBlur}
                error={fieldState.error?.message}
                splitChars={[',', ' ', '\n']}
                acceptValueOnBlur
                clearable
                clearButtonProps={{ 'aria-label': t('membersClear') }}
              />
            )}
          />
        )
      ) : null}
      {provider === 'external' ? (
        <div className={fields.row}>
          <TextInput
            {...registerField(form, 'external_knowledge_api_id')}
            description={t('externalHelp')}
            readOnly={!isNew}
            required={isNew}
          />
          <TextInput
            {...registerField(form, 'external_knowledge_id')}
            description={t('externalHelp')}
            readOnly={!isNew}
            required={isNew}
          />
        </div>
      ) : null}
      <ModelFields type="text-embedding" models={embedders} />
      {isNew ? (
        // It opens itself where a field in it is wrong: few need it when a dataset is new.
        <details className={fields.fold} open={form.formState.errors.retrieval_model !== undefined || undefined}>
          <summary>{t('retrieval')}</summary>
          <div>
            <p>{t('retrievalHelp')}</p>
            {retrieval}
          </div>
        </details>
      ) : (
        <fieldset className={fields.group}>
          <legend>{t('retrieval')}</legend>
          {retrieval}
        </fieldset>
      )}
    </FormProvider>
  )
}
