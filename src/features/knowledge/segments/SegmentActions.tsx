import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconDots, IconPencil } from '@tabler/icons-react'
import { useState } from 'react'
import { optionalSegmentEndpoints } from '#contract/platform/optionalSegments.ts'
import type { SegmentRecord } from '#domain/documentRecord.ts'
import { Can } from '../../../client/Can.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useWrite } from '../../../client/query.ts'
import type { SegmentTarget } from './useChildChunks.ts'
import { DeleteSegmentDialog } from './DeleteSegmentDialog.tsx'
import { segmentMessages } from './messages.ts'

export interface SegmentActionsProps {
  segment: SegmentRecord
  /** The name of the segment on the screen. */
  title: string
  input: SegmentTarget
  keyId: string | undefined
  capabilities: readonly string[]
  onEdit: () => void
  onDeleted: () => void
}

/** What one may do with a segment, as far as the platform offers it: editing at hand, the rest in a menu. */
export function SegmentActions({ segment, title, input, keyId, capabilities, onEdit, onDeleted }: SegmentActionsProps) {
  const t = useMessages(segmentMessages)
  const [isDeleting, setDeleting] = useState(false)
  const update = useWrite(optionalSegmentEndpoints.updateSegment)
  const remove = useWrite(optionalSegmentEndpoints.deleteSegment, { onDone: onDeleted })
  const target = { ...(keyId ? { key: keyId } : {}), params: { ...input } }
  const isOn = segment.enabled !== false
  const [canUpdate, canDelete] = [capabilities.includes('updateSegment'), capabilities.includes('deleteSegment')]
  return (
    <Can entry={optionalSegmentEndpoints.updateSegment}>
      {canUpdate ? (
        <Button variant="default" leftSection={<IconPencil size={14} />} onClick={onEdit}>
          {t('editSegment')}
        </Button>
      ) : null}
      {canUpdate || canDelete ? (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon
              variant="default"
              size={30}
              aria-label={t('moreOnSegment')}
              title={t('moreOnSegment')}
              loading={update.isPending}
            >
              <IconDots size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {canUpdate ? (
              <Menu.Item onClick={() => update.mutate({ ...target, body: { segment: { enabled: !isOn } } })}>
                {isOn ? t('disable') : t('enable')}
              </Menu.Item>
            ) : null}
            {canDelete ? <Menu.Item onClick={() => setDeleting(true)}>{t('delete')}</Menu.Item> : null}
          </Menu.Dropdown>
        </Menu>
      ) : null}
      {isDeleting ? (
        <DeleteSegmentDialog
          title={t('deleteTitle', { title })}
          isPending={remove.isPending}
          problem={remove.error?.problem}
          onClose={() => setDeleting(false)}
          onDelete={() => remove.mutate(target)}
        />
      ) : null}
      {update.error ? <ProblemAlert problem={update.error.problem} action={t('changeWhat')} /> : null}
    </Can>
  )
}
