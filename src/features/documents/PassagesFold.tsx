import { FormProvider } from 'react-hook-form'
import fields from '../../ui/fields/Fields.module.css'
import { ModelFields } from '../../ui/retrieval/ModelFields.tsx'
import { RetrievalFields } from '../../ui/retrieval/RetrievalFields.tsx'
import type { Speech } from '../../ui/retrieval/retrieval.ts'
import { useWords } from '../../ui/words.ts'
import { useModels } from '../../wire/useModels.ts'
import type { DocumentForm } from './DocumentFields.tsx'
import { documentsWords } from './messages.ts'

/** What is known of the platform behind the fields on retrieval. */
export interface Passages {
  /** The shape of a retrieval model that it speaks. */
  heard: Speech | null
  /** The id of the knowledge key, where the platform lists models. */
  listedBy: string | undefined
}

/** `retrieval_model` and the embedding model of operation 3, for the first document of a dataset that has none yet. */
export function PassagesFold<Sent>({ form, heard, listedBy }: Passages & { form: DocumentForm<Sent> }) {
  const t = useWords(documentsWords)
  const embedders = useModels(listedBy, 'text-embedding')
  const rerankers = useModels(listedBy, 'rerank')
  return (
    <FormProvider {...form}>
      {/* It opens itself where a field in it is wrong. */}
      <details className={fields.fold} open={form.formState.errors.retrieval_model !== undefined || undefined}>
        <summary>{t('passages')}</summary>
        <div>
          <p>{t('passagesHelp')}</p>
          <ModelFields type="text-embedding" models={embedders} />
          <RetrievalFields heard={heard} rerankers={rerankers} />
        </div>
      </details>
    </FormProvider>
  )
}
