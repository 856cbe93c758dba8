import '@mantine/core/styles/Pill.css'
import '@mantine/core/styles/PillsInput.css'
import { NativeSelect, TagsInput, Textarea, TextInput } from '@mantine/core'
import { Controller, FormProvider, type UseFormReturn, useWatch } from 'react-hook-form'
import { IndexingTechnique, Permission, Provider } from '#contract/shapes.ts'
import fields from '../../ui/fields/Fields.module.css'
import { field } from '../../ui/fields/field.ts'
import { ModelFields } from '../../ui/retrieval/ModelFields.tsx'
import { RetrievalFields } from '../../ui/retrieval/RetrievalFields.tsx'
import type { Speech } from '../../ui/retrieval/retrieval.ts'
import { useWords } from '../../ui/words.ts'
import { useModels } from '../../wire/useModels.ts'
import { datasetsWords } from './messages.ts'
import type { TypedDataset } from './typed.ts'

export interface DatasetFieldsProps<Sent> {
  form: UseFormReturn<TypedDataset, unknown, Sent>
  /** Operation 1 sets the provider, operation 2 the members. */
  of: 'create' | 'update'
  heard: Speech | null
  /** The knowledge key, where its platform lists models. */
  listedBy: string | undefined
}

/** Every field of operation 1 or 2, under its own name. */
export function DatasetFields<Sent>({ form, of, heard, listedBy }: DatasetFieldsProps<Sent>) {
  const t = useWords(datasetsWords)
  const [provider, permission] = useWatch({ control: form.control, name: ['provider', 'permission'] })
  const isNew = of === 'create'
  const choices = (words: readonly string[], word = '') => [
    { value: '', label: t(isNew ? 'platformChooses' : 'notGiven') },
    ...(word && !words.includes(word) ? [...words, word] : words),
  ]
  const embedders = useModels(listedBy, 'text-embedding')
  const retrieval = <RetrievalFields heard={heard} rerankers={useModels(listedBy, 'rerank')} />
  return (
    <FormProvider {...form}>
      <TextInput {...field(form, 'name')} description={t('nameHelp')} required data-autofocus autoComplete="off" />
      <Textarea {...field(form, 'description')} description={t('descriptionHelp')} autosize minRows={2} maxRows={6} />
      <div className={fields.row}>
        <NativeSelect {...field(form, 'indexing_technique')} data={choices(IndexingTechnique.options)} />
        <NativeSelect {...field(form, 'permission')} data={choices(Permission.options, permission)} />
        {isNew ? <NativeSelect {...field(form, 'provider')} data={choices(Provider.options)} /> : null}
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
                label="partial_member_list"
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
            {...field(form, 'external_knowledge_api_id')}
            description={t('externalHelp')}
            readOnly={!isNew}
            required={isNew}
          />
          <TextInput
            {...field(form, 'external_knowledge_id')}
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
