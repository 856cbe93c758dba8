import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useWatch } from 'react-hook-form'
import fields from '../../ui/fields/Fields.module.css'
import { field } from '../../ui/fields/field.ts'
import { useWords } from '../../ui/words.ts'
import type { DocumentForm } from './DocumentFields.tsx'
import { documentsWords } from './messages.ts'
import classes from './ProcessRuleFields.module.css'

/** `process_rule`: how the text is cut, with only the fields that the mode has. */
export function ProcessRuleFields<Sent>({ form, isOptional }: { form: DocumentForm<Sent>; isOptional: boolean }) {
  const t = useWords(documentsWords)
  const [mode, parentMode] = useWatch({
    control: form.control,
    name: ['process_rule.mode', 'process_rule.rules.parent_mode'],
  })
  const isHierarchical = mode === 'hierarchical'
  return (
    <fieldset className={classes.rule}>
      <legend>process_rule</legend>
      <div className={fields.row}>
        <NativeSelect
          {...field(form, 'process_rule.mode')}
          description={t('modeHelp')}
          data={[...(isOptional ? [{ value: '', label: t('ruleKept') }] : []), 'automatic', 'custom', 'hierarchical']}
        />
        {isHierarchical ? (
          <NativeSelect {...field(form, 'process_rule.rules.parent_mode')} data={['paragraph', 'full-doc']} mt="auto" />
        ) : null}
      </div>
      {mode === 'automatic' || mode === '' ? null : (
        <>
          {isHierarchical && parentMode === 'full-doc' ? null : (
            <Segmentation form={form} name="segmentation" legend={t('parent')} />
          )}
          {isHierarchical ? <Segmentation form={form} name="subchunk_segmentation" legend={t('children')} /> : null}
          <fieldset>
            <legend>{t('preProcessing')}</legend>
            <div className={fields.row}>
              <Checkbox {...form.register('process_rule.remove_extra_spaces')} label="remove_extra_spaces" />
              <Checkbox {...form.register('process_rule.remove_urls_emails')} label="remove_urls_emails" />
            </div>
          </fieldset>
        </>
      )}
    </fieldset>
  )
}

interface SegmentationProps<Sent> {
  form: DocumentForm<Sent>
  name: 'segmentation' | 'subchunk_segmentation'
  legend: string
}

function Segmentation<Sent>({ form, name, legend }: SegmentationProps<Sent>) {
  const t = useWords(documentsWords)
  return (
    <fieldset>
      <legend>
        {legend} <span>{t('separatorHelp')}</span>
      </legend>
      <div className={fields.row}>
        <TextInput {...field(form, `process_rule.rules.${name}.separator`)} autoComplete="off" spellCheck={false} />
        <TextInput {...field(form, `process_rule.rules.${name}.max_tokens`)} inputMode="numeric" autoComplete="off" />
        <TextInput
          {...field(form, `process_rule.rules.${name}.chunk_overlap`)}
          inputMode="numeric"
          autoComplete="off"
        />
      </div>
    </fieldset>
  )
}
