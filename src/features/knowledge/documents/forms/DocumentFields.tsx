import { type ChangeEvent, useEffect } from 'react'
import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useWatch, FormProvider } from 'react-hook-form'
import type { MeasuredChunks } from '#domain/chunking/chunkEstimate.ts'
import { DocForm, IndexingTechnique } from '#contract/platform/schemas.ts'
import fields from '../../../../components/forms/Fields.module.css'
import { useFieldOptions } from '../../../../components/forms/FieldLabel.tsx'
import { registerField } from '../../../../components/forms/registerField.tsx'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import { type ChunkEstimates, ChunkLabSection } from './ChunkLabSection.tsx'
import { documentMessages } from '../messages.ts'
import { ProcessRuleFields } from './ProcessRuleFields.tsx'
import { type DocumentFormApi, toDefaultMode } from './documentForm.ts'
import { ModelFields, RetrievalFields, useModels } from '../../retrieval/RetrievalFields.tsx'
import type { RetrievalDialect } from '../../retrieval/retrievalModelForm.ts'

export interface DocumentFieldsProps<Sent> {
  form: DocumentFormApi<Sent>
  /** Whether there are fields for the name and the text: a new document from a file takes both from the file. */
  fieldSet: 'name and text' | 'name' | 'neither'
  /** An update has no indexing technique, and may leave the rule to the platform. */
  mode: 'create' | 'update'
  /** Whether the document that is updated has a rule to keep. */
  hasRule?: boolean
  /** The `doc_form` that the dataset's documents have; platforms refuse another. */
  fixedDocForm?: string | null
  /** Only a new document has fields on retrieval. */
  retrievalContext?: RetrievalContext
  /** The files that would be sent, for the chunk lab. */
  files?: readonly File[]
  /** Where the lab's estimates are noted. */
  estimates: ChunkEstimates
  /** What the platform made of the document when it was last indexed. */
  measuredChunks?: MeasuredChunks | undefined
}

const HIERARCHICAL = 'hierarchical_model'

/** The fields of operations 3, 4 and 5, under their own names. */
export function DocumentFields<Sent>(props: DocumentFieldsProps<Sent>) {
  const {
    form,
    fieldSet,
    mode,
    hasRule = true,
    fixedDocForm = null,
    retrievalContext,
    files = [],
    estimates,
    measuredChunks,
  } = props
  const t = useMessages(documentMessages)
  const toOptions = useFieldOptions()
  const [technique, doc_form] = useWatch({ control: form.control, name: ['indexing_technique', 'doc_form'] })
  const isEconomy = technique === 'economy'
  const setDocForm = (value: string) => {
    form.setValue('doc_form', value)
    form.setValue('process_rule.mode', toDefaultMode(value))
  }
  const isRefused = fixedDocForm !== null && fixedDocForm !== doc_form
  // The first document decides the form of its dataset while this form may be open already.
  useEffect(() => {
    if (isRefused) setDocForm(fixedDocForm)
  })
  const techniqueField = registerField(form, 'indexing_technique')
  const selectTechnique = (event: ChangeEvent<HTMLSelectElement>) => {
    if (event.currentTarget.value === 'economy' && doc_form === HIERARCHICAL && fixedDocForm === null)
      setDocForm('text_model')
    void techniqueField.onChange(event)
  }
  const docForms = DocForm.options.filter((one) => !isEconomy || one !== HIERARCHICAL || one === doc_form)
  return (
    <>
      {fieldSet === 'neither' ? null : (
        <TextInput
          {...registerField(form, 'name')}
          description={t(fieldSet === 'name' ? 'nameOfFileHelp' : 'nameHelp')}
          required={fieldSet === 'name and text'}
          data-autofocus
          autoComplete="off"
        />
      )}
      {fieldSet === 'name and text' ? <DocumentTextField form={form} /> : null}
      <div className={fields.row} data-hints="below">
        {mode === 'create' ? (
          <NativeSelect {...techniqueField} onChange={selectTechnique} data={toOptions(IndexingTechnique.options)} />
        ) : null}
        <NativeSelect
          {...registerField(form, 'doc_form')}
          onChange={(event) => setDocForm(event.currentTarget.value)}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          data={toOptions(fixedDocForm === null ? docForms : [fixedDocForm])}
          description={fixedDocForm === null ? undefined : t('docFormFixed', { docForm: fixedDocForm })}
        />
        <TextInput {...registerField(form, 'doc_language')} autoComplete="off" placeholder="English" />
      </div>
      {isEconomy && doc_form === HIERARCHICAL ? <p className={fields.note}>{t('economyHierarchical')}</p> : null}
      <ProcessRuleFields
        form={form}
        emptyMode={mode === 'create' ? null : t(hasRule ? 'ruleKept' : 'ruleNotChosen')}
        hasHierarchical={!isEconomy || doc_form === HIERARCHICAL}
      />
      <ChunkLabSection form={form} files={files} measuredChunks={measuredChunks} onEstimate={estimates.add} />
      {retrievalContext ? <RetrievalSection form={form} {...retrievalContext} /> : null}
    </>
  )
}

function DocumentTextField<Sent>({ form }: { form: DocumentFormApi<Sent> }) {
  const t = useMessages(documentMessages)
  const text = useWatch({ control: form.control, name: 'text' })
  return (
    <Textarea
      {...registerField(form, 'text')}
      description={t('characters', { n: text?.length ?? 0 })}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      required
      rows={14}
    />
  )
}

/** What is known about the platform for the retrieval fields. */
export interface RetrievalContext {
  /** The shape of a retrieval model that it speaks. */
  dialect: RetrievalDialect | null
  /** The id of the knowledge key, where the platform lists models. */
  modelListKeyId: string | undefined
}

/** `retrieval_model` and the embedding model of operation 3, for the first document of a dataset. */
function RetrievalSection<Sent>({ form, dialect, modelListKeyId }: RetrievalContext & { form: DocumentFormApi<Sent> }) {
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
