import { Fragment } from 'react'
import { FormProvider, type UseFormReturn } from 'react-hook-form'
import fields from '../../../components/forms/Fields.module.css'
import { useOptionLabel } from '../../../components/forms/FieldLabel.tsx'
import { renderFieldLabel } from '../../../components/forms/registerField.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useModels } from '../useModels.ts'
import { retrievalMessages } from './messages.ts'
import { RetrievalFields } from './RetrievalFields.tsx'
import type { RetrievalDialect, RetrievalSettingsForm } from './retrievalModelForm.ts'
import type { TestSettings } from './testSettings.ts'
import classes from './Retrieval.module.css'

export interface TestSettingFieldsProps {
  form: UseFormReturn<RetrievalSettingsForm>
  /** `Settings`, or `Setting A` and `Setting B`. */
  title: string
  /** What differs from the dataset's settings in the search that is shown. */
  settings: TestSettings
  dialect: RetrievalDialect | null
  modelListKeyId: string | undefined
}

/** The settings of a test, folded; the summary names what differs from the dataset. They change nothing in the dataset. */
export function TestSettingFields({ form, title, settings, dialect, modelListKeyId }: TestSettingFieldsProps) {
  const t = useMessages(retrievalMessages)
  const toOptionLabel = useOptionLabel()
  const rerankers = useModels(modelListKeyId, 'rerank')
  const changes = Object.entries(settings)
  return (
    <FormProvider {...form}>
      <details className={fields.fold} open={form.formState.errors.retrieval_model !== undefined || undefined}>
        <summary>
          {title}
          <span className={classes.summary}>
            {changes.length > 0
              ? changes.map(([name, value], index) => (
                  <Fragment key={name}>
                    {index > 0 ? ', ' : null}
                    {renderFieldLabel(name)} {value ? toOptionLabel(value) : t('cleared')}
                  </Fragment>
                ))
              : t('asDataset')}
          </span>
        </summary>
        <div>
          <p>{t('settingsHelp')}</p>
          <RetrievalFields detectedDialect={dialect} rerankers={rerankers} />
        </div>
      </details>
    </FormProvider>
  )
}
