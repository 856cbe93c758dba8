import { NativeSelect } from '@mantine/core'
import { Suspense, useDeferredValue, useState, useEffect, useEffectEvent } from 'react'
import { useWatch } from 'react-hook-form'
import { Link, useParams } from 'react-router'
import { paths } from '#domain/paths.ts'
import { useWorkspace } from '../../../../client/useWorkspace.ts'
import type { MeasuredChunks, ChunkEstimate } from '#domain/chunking/chunkEstimate.ts'
import { DocForm } from '#contract/platform/schemas.ts'
import {
  settingFromRule,
  toSettingDraft,
  type ChunkSettingDraft,
  parseSettingDraft,
  toProcessRule,
} from '../../chunkLab/chunkSettingDraft.ts'
import { saveLabText } from '../../chunkLab/labText.ts'
import { toSettingParam } from '../../chunkLab/chunkSettingParam.ts'
import {
  type EstimatedSource,
  findMatchingEstimate,
  type SentDocumentRule,
} from '../../chunkLab/chunkEstimateSource.ts'
import fields from '../../../../components/forms/Fields.module.css'
import { type DocumentFormApi, toProcessRuleBody, toProcessRuleForm } from './documentForm.ts'
import { lazyWithPreload } from '../../../../components/layout/lazyWithPreload.tsx'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import { documentMessages } from '../messages.ts'

const LazyChunkLab = lazyWithPreload(async () => (await import('../../chunkLab/ChunkLab.tsx')).ChunkLab)

export interface ChunkLabSectionProps<Sent> {
  form: DocumentFormApi<Sent>
  /** What would be sent, where files are. */
  files?: readonly File[]
  measuredChunks?: MeasuredChunks | undefined
  onEstimate?: ((estimated: EstimatedSource) => void) | undefined
}

/** The chunk lab next to a form's rule, loaded when it is first opened. Its setting can be used in the form. */
export function ChunkLabSection<Sent>(props: ChunkLabSectionProps<Sent>) {
  const t = useMessages(documentMessages)
  const [hasBeenOpen, setHasBeenOpen] = useState(false)
  return (
    <details
      className={fields.fold}
      onToggle={(event) => {
        if (event.currentTarget.open) setHasBeenOpen(true)
      }}
    >
      <summary>{t('lab')}</summary>
      {hasBeenOpen ? (
        <div>
          <Suspense>
            <ChunkLabOfForm {...props} />
          </Suspense>
        </div>
      ) : null}
    </details>
  )
}

function ChunkLabOfForm<Sent>({ form, files = [], measuredChunks, onEstimate }: ChunkLabSectionProps<Sent>) {
  const t = useMessages(documentMessages)
  const { dataset_id } = useParams()
  const { workspace } = useWorkspace()
  const [selectedFile, selectFile] = useState<File | null>(null)
  const file = files.find((one) => one === selectedFile) ?? files[0] ?? null
  const [text, process_rule, typedForm] = useDeferredValue(
    useWatch({ control: form.control, name: ['text', 'process_rule', 'doc_form'] }),
  )
  const doc_form = DocForm.safeParse(typedForm).data ?? 'text_model'
  const setting = settingFromRule(toProcessRuleBody(process_rule), doc_form)
  const labPath = paths.lab({
    ...(workspace ? { workspace: workspace.id } : {}),
    ...(dataset_id ? { dataset: dataset_id } : {}),
    ...(process_rule.mode === '' ? {} : { a: toSettingParam(toSettingDraft(setting)) }),
  })
  return (
    <>
      <Link
        className={fields.note}
        to={labPath}
        onClick={() => {
          if (text) saveLabText(text)
        }}
      >
        {t('openInLab')}
      </Link>
      {files.length > 1 && file ? (
        <NativeSelect
          label={t('labFile')}
          value={files.indexOf(file)}
          data={files.map(({ name }, index) => ({ value: String(index), label: name }))}
          onChange={(event) => selectFile(files[Number(event.currentTarget.value)] ?? null)}
        />
      ) : null}
      <LazyChunkLab
        text={text}
        file={file}
        measuredChunks={measuredChunks}
        onEstimate={onEstimate}
        // If the platform chooses the rule, it is unknown here: the lab then has its own fields.
        {...(process_rule.mode === '' ? {} : { rule: { process_rule: toProcessRuleBody(process_rule), doc_form } })}
        onUse={(appliedRule) => {
          form.setValue('doc_form', appliedRule.doc_form, { shouldDirty: true })
          form.setValue('process_rule', toProcessRuleForm(appliedRule.process_rule, form.getValues('process_rule')), {
            shouldDirty: true,
          })
        }}
      />
    </>
  )
}

/** Takes a setting of the chunk lab over into the form, once for each that comes by the URL. */
export function useLabSetting<Sent>(form: DocumentFormApi<Sent>, setting: ChunkSettingDraft | null): void {
  const apply = useEffectEvent(() => {
    if (!setting) return
    const rule = toProcessRule(parseSettingDraft(setting))
    form.setValue('doc_form', setting.doc_form, { shouldDirty: true })
    form.setValue('process_rule', toProcessRuleForm(rule, form.getValues('process_rule')), { shouldDirty: true })
  })
  const text = setting && toSettingParam(setting)
  useEffect(() => {
    if (text !== null) apply()
  }, [text])
}

/** The estimates of the lab next to a form, until something is sent. */
export interface ChunkEstimates {
  add: (estimated: EstimatedSource) => void
  /** The estimate of what is being sent; null where the lab has cut something else, or by another rule. */
  find: (source: File | string, sent: SentDocumentRule) => ChunkEstimate | null
}

/** Each file has its own; for the text the last one counts. */
export const useChunkEstimates = (): ChunkEstimates => useState(createChunkEstimates)[0]

function createChunkEstimates(): ChunkEstimates {
  const files = new WeakMap<File, EstimatedSource>()
  let text: EstimatedSource | null = null
  return {
    add: (estimated) => {
      if (estimated.source instanceof File) files.set(estimated.source, estimated)
      else text = estimated
    },
    find: (source, sent) =>
      findMatchingEstimate(source instanceof File ? (files.get(source) ?? null) : text, source, sent),
  }
}
