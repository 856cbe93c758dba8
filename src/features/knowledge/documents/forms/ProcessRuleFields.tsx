import { Box, Checkbox, NativeSelect, Text, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useWatch } from 'react-hook-form'
import fields from '../../../../components/forms/Fields.module.css'
import { FieldLabel, useFieldOptions } from '../../../../components/forms/FieldLabel.tsx'
import { registerField } from '../../../../components/forms/registerField.tsx'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import type { DocumentFormApi } from './documentForm.ts'
import { documentMessages } from '../messages.ts'

export interface ProcessRuleFieldsProps<Sent> {
  form: DocumentFormApi<Sent>
  /** What no rule means; null where one is sent always. */
  emptyMode: string | null
  hasHierarchical: boolean
}

/** `process_rule`: how the text is cut, with only the fields that the mode has. */
export function ProcessRuleFields<Sent>({ form, emptyMode, hasHierarchical }: ProcessRuleFieldsProps<Sent>) {
  const t = useMessages(documentMessages)
  const [mode, parentMode] = useWatch({
    control: form.control,
    name: ['process_rule.mode', 'process_rule.rules.parent_mode'],
  })
  const toOptions = useFieldOptions()
  const isHierarchical = mode === 'hierarchical'
  return (
    <fieldset className={fields.group}>
      <legend>
        <FieldLabel name="process_rule" />
      </legend>
      <div className={fields.row}>
        <NativeSelect
          {...registerField(form, 'process_rule.mode')}
          description={t('modeHelp')}
          data={[
            ...(emptyMode === null ? [] : [{ value: '', label: emptyMode }]),
            ...toOptions(['automatic', 'custom', ...(hasHierarchical ? ['hierarchical'] : [])]),
          ]}
        />
        {isHierarchical ? (
          <NativeSelect
            {...registerField(form, 'process_rule.rules.parent_mode')}
            data={toOptions(['paragraph', 'full-doc'])}
            mt="auto"
          />
        ) : null}
      </div>
      {mode === 'automatic' || mode === '' ? null : (
        <>
          {isHierarchical && parentMode === 'full-doc' ? null : (
            <SegmentationFields form={form} name="segmentation" legend={t('parent')} />
          )}
          {isHierarchical ? (
            <SegmentationFields form={form} name="subchunk_segmentation" legend={t('children')} />
          ) : null}
          <RulePart legend={t('preProcessing')}>
            <div className={fields.row}>
              <Checkbox
                {...form.register('process_rule.remove_extra_spaces')}
                label={<FieldLabel name="remove_extra_spaces" />}
              />
              <Checkbox
                {...form.register('process_rule.remove_urls_emails')}
                label={<FieldLabel name="remove_urls_emails" />}
              />
            </div>
          </RulePart>
        </>
      )}
    </fieldset>
  )
}

interface SegmentationFieldsProps<Sent> {
  form: DocumentFormApi<Sent>
  name: 'segmentation' | 'subchunk_segmentation'
  legend: string
}

function SegmentationFields<Sent>({ form, name, legend }: SegmentationFieldsProps<Sent>) {
  const t = useMessages(documentMessages)
  return (
    <RulePart legend={legend} help={t('separatorHelp')}>
      <div className={fields.row}>
        <TextInput
          {...registerField(form, `process_rule.rules.${name}.separator`)}
          autoComplete="off"
          spellCheck={false}
        />
        <TextInput
          {...registerField(form, `process_rule.rules.${name}.max_tokens`)}
          inputMode="numeric"
          autoComplete="off"
        />
        <TextInput
          {...registerField(form, `process_rule.rules.${name}.chunk_overlap`)}
          inputMode="numeric"
          autoComplete="off"
        />
      </div>
    </RulePart>
  )
}

/** A group of fields within the rule, without a frame of its own. */
const RulePart = ({ legend, help, children }: { legend: string; help?: string; children: ReactNode }) => (
  <Box component="fieldset" m={0} p={0} miw={0} bd={0}>
    <Text component="legend" p={0} mb="xs" fz="sm" fw={550}>
      {legend}{' '}
      <Text span inherit fw={400} c="var(--text-3)">
        {help}
      </Text>
    </Text>
    {children}
  </Box>
)
