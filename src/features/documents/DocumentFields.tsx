import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import type { Measured } from '#contract/estimate.ts'
import { DocForm, IndexingTechnique } from '#contract/shapes.ts'
import fields from '../../ui/fields/Fields.module.css'
import { field } from '../../ui/fields/field.ts'
import { useWords } from '../../ui/words.ts'
import type { Estimates } from './useEstimates.ts'
import { LabFold } from './LabFold.tsx'
import { documentsWords } from './messages.ts'
import { type Passages, PassagesFold } from './PassagesFold.tsx'
import { ProcessRuleFields } from './ProcessRuleFields.tsx'
import type { TypedDocument } from './typed.ts'

export type DocumentForm<Sent> = UseFormReturn<TypedDocument, unknown, Sent>

export interface DocumentFieldsProps<Sent> {
  form: DocumentForm<Sent>
  /** Whether there are fields for the name and the text: a new document from a file takes both from the file. */
  has: 'name and text' | 'name' | 'neither'
  /** An update has no indexing technique, and may leave the rule to the platform. */
  of: 'create' | 'update'
  /** Only a new document has fields on retrieval. */
  passages?: Passages
  /** The files that would be sent, for the chunk lab. */
  files?: readonly File[]
  /** Where the lab's estimates are noted. */
  estimates: Estimates
  /** What the platform made of the document when it was last indexed. */
  measured?: Measured | undefined
}

/** The fields of operations 3, 4 and 5, under their own names. */
export function DocumentFields<Sent>(props: DocumentFieldsProps<Sent>) {
  const { form, has, of, passages, files = [], estimates, measured } = props
  const t = useWords(documentsWords)
  const docForm = field(form, 'doc_form')
  // Parents with children are cut by the hierarchical rule; another rule can still be chosen.
  const choose = (event: Parameters<typeof docForm.onChange>[0] & { target: { value: string } }) => {
    form.setValue('process_rule.mode', event.target.value === 'hierarchical_model' ? 'hierarchical' : 'automatic')
    return docForm.onChange(event)
  }
  return (
    <>
      {has === 'neither' ? null : (
        <TextInput
          {...field(form, 'name')}
          description={t(has === 'name' ? 'nameOfFileHelp' : 'nameHelp')}
          required={has === 'name and text'}
          data-autofocus
          autoComplete="off"
        />
      )}
      {has === 'name and text' ? <TextField form={form} /> : null}
      <div className={fields.row}>
        {of === 'create' ? (
          <NativeSelect {...field(form, 'indexing_technique')} data={[...IndexingTechnique.options]} />
        ) : null}
        <NativeSelect {...docForm} onChange={(event) => void choose(event)} data={[...DocForm.options]} />
        <TextInput {...field(form, 'doc_language')} autoComplete="off" placeholder="English" />
      </div>
      <ProcessRuleFields form={form} isOptional={of === 'update'} />
      <LabFold form={form} files={files} measured={measured} onEstimate={estimates.note} />
      {passages ? <PassagesFold form={form} {...passages} /> : null}
    </>
  )
}

function TextField<Sent>({ form }: { form: DocumentForm<Sent> }) {
  const t = useWords(documentsWords)
  const text = useWatch({ control: form.control, name: 'text' })
  return (
    <Textarea
      {...field(form, 'text')}
      description={t('characters', { n: text?.length ?? 0 })}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      required
      rows={14}
    />
  )
}
