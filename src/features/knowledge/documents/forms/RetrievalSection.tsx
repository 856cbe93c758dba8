import { FormProvider } from 'react-hook-form'
import fields from '../../../../components/forms/Fields.module.css'
import { ModelFields } from '../../retrieval/ModelFields.tsx'
import { RetrievalFields } from '../../retrieval/RetrievalFields.tsx'
import type { RetrievalDialect } from '../../retrieval/retrievalModelForm.ts'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import { useModels } from '../../useModels.ts'
import type { DocumentFormApi } from './documentForm.ts'
import { documentMessages } from '../messages.ts'

/** What is known of the platform behind the fields on retrieval. */
export interface RetrievalContext {
  /** The shape of a retrieval model that it speaks. */
  dialect: RetrievalDialect | null
  /** The id of the knowledge key, where the platform lists models. */
  modelListKeyId: string | undefined
}

/** `retrieval_model` and the embedding model of operation 3, for the first document of a dataset that has none yet. */
export function RetrievalSection<Sent>({
  form,
  dialect,
  modelListKeyId,
}: RetrievalContext & { form: DocumentFormApi<Sent> }) {
  const t = useMessages(documentMessages)
  const embedders = useModels(modelListKeyId, 'text-embedding')
  const rerankers = useModels(modelListKeyId, 'rerank')
  return (
    <FormProvider {...form}>
      {/* It opens itself where a field in it is wrong. */}
      <details className={fields.fold} open={form.formState.errors.retrieval_model !== undefined || undefined}>
        <summary>{t('passages')}</summary>
        <div>
          <p>{t('passagesHelp')}</p>
          <ModelFields type="text-embedding" models={embedders} />
          <RetrievalFields detectedDialect={dialect} rerankers={rerankers} />
        </div>
      </details>
    </FormProvider>
  )
}
