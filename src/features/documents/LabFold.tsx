import { lazy, Suspense, useDeferredValue, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useTranslations } from 'use-intl'
import { DocForm } from '#contract/shapes.ts'
import type { Measured } from '../../lab/measured.ts'
import fields from '../../ui/fields/Fields.module.css'
import type { DocumentForm } from './DocumentFields.tsx'
import { ruleOf, typedRuleOf } from './typed.ts'
import { load } from '../../ui/load.ts'

const ChunkLab = lazy(async () => ({ default: (await load(() => import('../../lab/ChunkLab.tsx'))).ChunkLab }))

export interface LabFoldProps<Sent> {
  form: DocumentForm<Sent>
  file?: File | null
  measured?: Measured | undefined
}

/** The chunk lab beside a form's rule, loaded when it is first unfolded. What is tried in it can be taken over. */
export function LabFold<Sent>({ form, file = null, measured }: LabFoldProps<Sent>) {
  const t = useTranslations('documents')
  const [wasOpen, setWasOpen] = useState(false)
  return (
    <details
      className={fields.fold}
      onToggle={(event) => {
        if (event.currentTarget.open) setWasOpen(true)
      }}
    >
      <summary>{t('lab')}</summary>
      {wasOpen ? (
        <div>
          <Suspense>
            <Lab form={form} file={file} measured={measured} />
          </Suspense>
        </div>
      ) : null}
    </details>
  )
}

function Lab<Sent>({ form, file = null, measured }: LabFoldProps<Sent>) {
  const [text, process_rule, typedForm] = useDeferredValue(
    useWatch({ control: form.control, name: ['text', 'process_rule', 'doc_form'] }),
  )
  const doc_form = DocForm.safeParse(typedForm).data ?? 'text_model'
  return (
    <ChunkLab
      text={text}
      file={file}
      measured={measured}
      // A rule that is left to the platform is not known here: the lab has fields of its own then.
      {...(process_rule.mode === '' ? {} : { rule: { process_rule: ruleOf(process_rule), doc_form } })}
      onUse={(used) => {
        form.setValue('doc_form', used.doc_form, { shouldDirty: true })
        form.setValue('process_rule', typedRuleOf(used.process_rule, form.getValues('process_rule')), {
          shouldDirty: true,
        })
      }}
    />
  )
}
