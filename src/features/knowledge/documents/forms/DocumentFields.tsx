import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useWatch } from 'react-hook-form'
import type { MeasuredChunks } from '#domain/chunking/chunkEstimate.ts'
import { DocForm, IndexingTechnique } from '#contract/platform/schemas.ts'
import fields from '../../../../components/forms/Fields.module.css'
import { registerField } from '../../../../components/forms/registerField.ts'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import type { ChunkEstimates } from './useChunkEstimates.ts'
import { ChunkLabSection } from './ChunkLabSection.tsx'
import { documentMessages } from '../messages.ts'
import { type RetrievalContext, RetrievalSection } from './RetrievalSection.tsx'
import { ProcessRuleFields } from './ProcessRuleFields.tsx'
import type { DocumentFormApi } from './documentForm.ts'

export interface DocumentFieldsProps<Sent> {
  form: DocumentFormApi<Sent>
  /** Whether there are fields for the name and the text: a new document from a file takes both from the file. */
  fieldSet: 'name and text' | 'name' | 'neither'
  /** An update has no indexing technique, and may leave the rule to the platform. */
  mode: 'create' | 'update'
  /** Only a new document has fields on retrieval. */
  retrievalContext?: RetrievalContext
  /** The files that would be sent, for the chunk lab. */
  files?: readonly File[]
  /** Where the lab's estimates are noted. */
  estimates: ChunkEstimates
  /** What the platform made of the document when it was last indexed. */
  measuredChunks?: MeasuredChunks | undefined
}

/** The fields of operations 3, 4 and 5, under their own names. */
export function DocumentFields<Sent>(props: DocumentFieldsProps<Sent>) {
  const { form, fieldSet, mode, retrievalContext, files = [], estimates, measuredChunks } = props
  const t = useMessages(documentMessages)
  const docForm = registerField(form, 'doc_form')
  // Parents with children are cut by the hierarchical rule; another rule can still be chosen.
  const selectDocForm = (event: Parameters<typeof docForm.onChange>[0] & { target: { value: string } }) => {
    form.setValue('process_rule.mode', event.target.value === 'hierarchical_model' ? 'hierarchical' : 'automatic')
    return docForm.onChange(event)
  }
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
      <div className={fields.row}>
        {mode === 'create' ? (
          <NativeSelect {...registerField(form, 'indexing_technique')} data={[...IndexingTechnique.options]} />
        ) : null}
        <NativeSelect {...docForm} onChange={(event) => void selectDocForm(event)} data={[...DocForm.options]} />
        <TextInput {...registerField(form, 'doc_language')} autoComplete="off" placeholder="English" />
      </div>
      <ProcessRuleFields form={form} isOptional={mode === 'update'} />
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
