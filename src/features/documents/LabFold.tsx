import { NativeSelect } from '@mantine/core'
import { Suspense, useDeferredValue, useState } from 'react'
import { useWatch } from 'react-hook-form'
import type { Measured } from '#contract/estimate.ts'
import { DocForm } from '#contract/shapes.ts'
import type { Estimated } from '../../lab/estimated.ts'
import fields from '../../ui/fields/Fields.module.css'
import type { DocumentForm } from './DocumentFields.tsx'
import { ruleOf, typedRuleOf } from './typed.ts'
import { part } from '../../ui/part.tsx'
import { useWords } from '../../ui/words.ts'
import { documentsWords } from './messages.ts'

const ChunkLab = part(async () => (await import('../../lab/ChunkLab.tsx')).ChunkLab)

export interface LabFoldProps<Sent> {
  form: DocumentForm<Sent>
  /** What would be sent, where files are. */
  files?: readonly File[]
  measured?: Measured | undefined
  onEstimate?: ((estimated: Estimated) => void) | undefined
}

/** The chunk lab beside a form's rule, loaded when it is first unfolded. What is tried in it can be taken over. */
export function LabFold<Sent>(props: LabFoldProps<Sent>) {
  const t = useWords(documentsWords)
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
            <Lab {...props} />
          </Suspense>
        </div>
      ) : null}
    </details>
  )
}

function Lab<Sent>({ form, files = [], measured, onEstimate }: LabFoldProps<Sent>) {
  const t = useWords(documentsWords)
  const [chosen, choose] = useState<File | null>(null)
  const file = files.find((one) => one === chosen) ?? files[0] ?? null
  const [text, process_rule, typedForm] = useDeferredValue(
    useWatch({ control: form.control, name: ['text', 'process_rule', 'doc_form'] }),
  )
  const doc_form = DocForm.safeParse(typedForm).data ?? 'text_model'
  return (
    <>
      {files.length > 1 && file ? (
        <NativeSelect
          label={t('labFile')}
          value={files.indexOf(file)}
          data={files.map(({ name }, index) => ({ value: String(index), label: name }))}
          onChange={(event) => choose(files[Number(event.currentTarget.value)] ?? null)}
        />
      ) : null}
      <ChunkLab
        text={text}
        file={file}
        measured={measured}
        onEstimate={onEstimate}
        // A rule that is left to the platform is not known here: the lab has fields of its own then.
        {...(process_rule.mode === '' ? {} : { rule: { process_rule: ruleOf(process_rule), doc_form } })}
        onUse={(used) => {
          form.setValue('doc_form', used.doc_form, { shouldDirty: true })
          form.setValue('process_rule', typedRuleOf(used.process_rule, form.getValues('process_rule')), {
            shouldDirty: true,
          })
        }}
      />
    </>
  )
}
