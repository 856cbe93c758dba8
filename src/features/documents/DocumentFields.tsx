import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import { useTranslations } from 'use-intl'
import type { z } from 'zod'
import type { DocumentCreate } from '#contract/documents.ts'
import { DocForm, IndexingTechnique } from '#contract/shapes.ts'
import fields from '../../ui/fields/Fields.module.css'
import { field } from '../../ui/fields/field.ts'
import { ProcessRuleFields } from './ProcessRuleFields.tsx'
import type { TypedDocument } from './typed.ts'

export type DocumentForm = UseFormReturn<TypedDocument, unknown, z.output<typeof DocumentCreate>>

/** The fields of operation 3, under their own names. */
export function DocumentFields({ form }: { form: DocumentForm }) {
  const t = useTranslations('documents')
  const text = useWatch({ control: form.control, name: 'text' })
  const docForm = field(form, 'doc_form')
  // Parents with children are cut by the hierarchical rule; another rule can still be chosen.
  const choose = (event: Parameters<typeof docForm.onChange>[0] & { target: { value: string } }) => {
    form.setValue('process_rule.mode', event.target.value === 'hierarchical_model' ? 'hierarchical' : 'automatic')
    return docForm.onChange(event)
  }
  return (
    <>
      <TextInput {...field(form, 'name')} description={t('nameHelp')} required data-autofocus autoComplete="off" />
      <Textarea
        {...field(form, 'text')}
        description={t('characters', { n: text?.length ?? 0 })}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        required
        rows={14}
      />
      <div className={fields.row}>
        <NativeSelect {...field(form, 'indexing_technique')} data={[...IndexingTechnique.options]} />
        <NativeSelect {...docForm} onChange={(event) => void choose(event)} data={[...DocForm.options]} />
        <TextInput {...field(form, 'doc_language')} autoComplete="off" placeholder="English" />
      </div>
      <ProcessRuleFields form={form} />
    </>
  )
}
