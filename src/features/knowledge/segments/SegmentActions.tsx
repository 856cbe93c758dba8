import { Button } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { contract } from '#contract/index.ts'
import type { SegmentRecord } from '#domain/documentRecord.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useWrite } from '../../../client/query.ts'
import type { SegmentTarget } from './useChildChunks.ts'
import { ConfirmButton } from './ConfirmButton.tsx'
import classes from './Document.module.css'
import { segmentMessages } from './messages.ts'

export interface SegmentActionsProps {
  segment: SegmentRecord
  input: SegmentTarget
  keyId: string | undefined
  capabilities: readonly string[]
  onEdit: () => void
  onDeleted: () => void
}

/** What one may do with a segment, as far as the platform offers it. */
export function SegmentActions({ segment, input, keyId, capabilities, onEdit, onDeleted }: SegmentActionsProps) {
  const t = useMessages(segmentMessages)
  const update = useWrite(contract.adjacent.updateSegment)
  const remove = useWrite(contract.adjacent.deleteSegment, { onDone: onDeleted })
  const target = { ...(keyId ? { key: keyId } : {}), params: { ...input } }
  const problem = update.error?.problem ?? remove.error?.problem
  const isOn = segment.enabled !== false
  return (
    <>
      <span className={classes.actions}>
        {capabilities.includes('updateSegment') ? (
          <>
            <Button variant="default" leftSection={<IconPencil size={14} />} onClick={onEdit}>
              {t('editSegment')}
            </Button>
            <Button
              variant="subtle"
              color="gray"
              loading={update.isPending}
              onClick={() => update.mutate({ ...target, body: { segment: { enabled: !isOn } } })}
            >
              {isOn ? t('disable') : t('enable')}
            </Button>
          </>
        ) : null}
        {capabilities.includes('deleteSegment') ? (
          <ConfirmButton
            title={t('deleteTitle')}
            lost={[t('deleteText')]}
            kept={[t('deleteKept')]}
            label={t('delete')}
            confirmLabel={t('deleteDo')}
            icon={<IconTrash size={14} />}
            onConfirm={() => remove.mutate(target)}
          />
        ) : null}
      </span>
      {problem ? <ProblemAlert problem={problem} action={t('changeWhat')} /> : null}
    </>
  )
}
