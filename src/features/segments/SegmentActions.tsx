import { Button } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { contract } from '#contract/index.ts'
import type { SegmentRecord } from '#contract/records.ts'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { useWords } from '../../ui/words.ts'
import { useWrite } from '../../wire/query.ts'
import type { SegmentInput } from './children.ts'
import { Confirm } from './Confirm.tsx'
import classes from './Document.module.css'
import { segmentsWords } from './messages.ts'

export interface SegmentActionsProps {
  segment: SegmentRecord
  input: SegmentInput
  keyId: string | undefined
  offers: readonly string[]
  onEdit: () => void
  onDeleted: () => void
}

/** What one may do with a segment, as far as the platform offers it. */
export function SegmentActions({ segment, input, keyId, offers, onEdit, onDeleted }: SegmentActionsProps) {
  const t = useWords(segmentsWords)
  const update = useWrite(contract.adjacent.updateSegment)
  const remove = useWrite(contract.adjacent.deleteSegment)
  const target = { ...(keyId ? { key: keyId } : {}), params: { ...input } }
  const problem = update.error?.problem ?? remove.error?.problem
  const isOn = segment.enabled !== false
  return (
    <>
      <span className={classes.actions}>
        {offers.includes('updateSegment') ? (
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
        {offers.includes('deleteSegment') ? (
          <Confirm
            title={t('deleteTitle')}
            what={t('deleteText')}
            deed={t('deleteSegment')}
            icon={<IconTrash size={14} />}
            onConfirm={() => remove.mutate(target, { onSuccess: onDeleted })}
          />
        ) : null}
      </span>
      {problem ? <ProblemNote problem={problem} what={t('changeWhat')} /> : null}
    </>
  )
}
