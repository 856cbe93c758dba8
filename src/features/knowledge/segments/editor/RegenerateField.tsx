import { Checkbox } from '@mantine/core'
import { FieldLabel } from '../../../../components/forms/FieldLabel.tsx'
import { componentMessages } from '../../../../components/i18n/messages.ts'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import { Consequences } from '../../../../components/overlays/DeleteDialog.tsx'
import { segmentMessages } from '../messages.ts'
import { type SegmentTarget, useChildChunks } from '../useChildChunks.ts'
import { useRegenerationConsequences } from '../useRegenerationConsequences.ts'

export interface RegenerateFieldProps {
  input: SegmentTarget
  keyId: string
  isChecked: boolean
  onChange: (isChecked: boolean) => void
}

/** Whether saving a parent replaces its child chunks; where it does, which are lost and what is kept. */
export function RegenerateField({ input, keyId, isChecked, onChange }: RegenerateFieldProps) {
  const t = useMessages(segmentMessages)
  const common = useMessages(componentMessages)
  const children = useChildChunks(keyId, input, isChecked)
  const { lost, kept } = useRegenerationConsequences(children.data ?? [])
  return (
    <>
      <Checkbox
        label={<FieldLabel name="regenerate_child_chunks" />}
        description={t('regenerateText')}
        checked={isChecked}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      {isChecked && lost.length > 0 ? (
        <div role="status">
          <Consequences heading={common('lostHeading')} items={lost} />
          <Consequences heading={common('keptHeading')} items={kept} />
        </div>
      ) : null}
    </>
  )
}
