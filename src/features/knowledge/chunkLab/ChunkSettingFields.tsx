import { Checkbox, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import type { DocumentFormKind } from '#domain/chunking/chunkingPlan.ts'
import { FieldLabel, useFieldOptions } from '../../../components/forms/FieldLabel.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { type ChunkSettingErrors, MAX_CHUNK_TOKENS, type ChunkSettingDraft } from './chunkSettingDraft.ts'
import classes from './ChunkLab.module.css'
import { chunkLabMessages } from './messages.ts'

export interface ChunkSettingFieldsProps {
  draft: ChunkSettingDraft
  errors: ChunkSettingErrors
  onChange: (typed: ChunkSettingDraft) => void
}

export function ChunkSettingFields({ draft, errors, onChange }: ChunkSettingFieldsProps) {
  const t = useMessages(chunkLabMessages)
  const toOptions = useFieldOptions()
  const set = (change: Partial<ChunkSettingDraft>) => onChange({ ...draft, ...change })
  const renderSplitRule = (part: 'segmentation' | 'subchunk_segmentation') => (
    <div role="group" aria-label={part}>
      {draft.mode === 'hierarchical' ? (
        <Text fz="xs" c="var(--text-3)" mb={2}>
          <FieldLabel name={part} />
        </Text>
      ) : null}
      <div className={classes.cut}>
        {(['separator', 'max_tokens', 'chunk_overlap'] as const).map((name) => {
          const error = errors[`${part}.${name}`]
          return (
            <TextInput
              key={name}
              className={classes.hinted}
              label={<FieldLabel name={name} />}
              value={draft[part][name]}
              inputMode={name === 'separator' ? 'text' : 'numeric'}
              spellCheck={false}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              description={name === 'separator' ? t('separatorHelp') : undefined}
              error={error ? t(error, { most: MAX_CHUNK_TOKENS }) : undefined}
              onChange={(event) => set({ [part]: { ...draft[part], [name]: event.currentTarget.value } })}
            />
          )
        })}
      </div>
    </div>
  )
  return (
    <Stack gap="sm">
      <div className={classes.cut}>
        <NativeSelect
          label={<FieldLabel name="doc_form" />}
          value={draft.doc_form}
          data={toOptions(['text_model', 'hierarchical_model'])}
          onChange={({ currentTarget: { value } }) =>
            set({
              doc_form: value as DocumentFormKind,
              mode: value === 'hierarchical_model' ? 'hierarchical' : 'custom',
            })
          }
        />
        <NativeSelect
          label={<FieldLabel name="mode" />}
          value={draft.mode}
          data={toOptions(['automatic', 'custom', 'hierarchical'])}
          onChange={({ currentTarget: { value } }) => set({ mode: value as ChunkSettingDraft['mode'] })}
        />
        {draft.mode === 'hierarchical' ? (
          <NativeSelect
            label={<FieldLabel name="parent_mode" />}
            value={draft.parent_mode}
            data={toOptions(['paragraph', 'full-doc'])}
            onChange={({ currentTarget: { value } }) => set({ parent_mode: value as ChunkSettingDraft['parent_mode'] })}
          />
        ) : null}
      </div>
      {draft.mode === 'automatic' ? null : (
        <>
          {draft.mode === 'hierarchical' && draft.parent_mode === 'full-doc' ? null : renderSplitRule('segmentation')}
          {draft.mode === 'hierarchical' ? renderSplitRule('subchunk_segmentation') : null}
          {(['remove_extra_spaces', 'remove_urls_emails'] as const).map((name) => (
            <Checkbox
              key={name}
              label={<FieldLabel name={name} />}
              size="xs"
              checked={draft[name]}
              onChange={(event) => set({ [name]: event.currentTarget.checked })}
            />
          ))}
        </>
      )}
    </Stack>
  )
}
