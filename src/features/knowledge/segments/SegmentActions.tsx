import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconDots, IconPencil } from '@tabler/icons-react'
import { useState } from 'react'
import { optionalSegmentEndpoints } from '#contract/platform/optionalSegments.ts'
import type { SegmentRecord } from '#domain/documentRecord.ts'
import { Can } from '../../../client/Can.tsx'
import { useWhileMounted } from '../../../components/hooks/useWhileMounted.ts'
import { Dialog } from '../../../components/overlays/Dialog.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useWrite } from '../../../client/query.ts'
import fields from '../../../components/forms/Fields.module.css'
import { PredictionPanel } from '../prediction/PredictionPanel.tsx'
import type { SegmentTarget } from './useChildChunks.ts'
import { type DeleteQuestion, useDeleteDialog } from '../../../components/overlays/useDeleteDialog.ts'
import { segmentMessages } from './messages.ts'

export interface SegmentActionsProps {
  segment: SegmentRecord
  title: string
  input: SegmentTarget
  keyId: string | undefined
  workspace: string | undefined
  capabilities: readonly string[]
  onEdit: () => void
  onDeleted: () => void
}

/** What one may do with a segment, as far as the platform offers it: editing at hand, the rest in a menu. */
export function SegmentActions(props: SegmentActionsProps) {
  const { segment, title, input, keyId, workspace, capabilities, onEdit, onDeleted } = props
  const t = useMessages(segmentMessages)
  const [isDisabling, setDisabling] = useState(false)
  const openDelete = useSegmentDeletion()
  const update = useWrite(optionalSegmentEndpoints.updateSegment)
  const whileMounted = useWhileMounted()
  const remove = useWrite(optionalSegmentEndpoints.deleteSegment, { onDone: whileMounted(onDeleted) })
  const target = { ...(keyId ? { key: keyId } : {}), params: { ...input } }
  const isOn = segment.enabled !== false
  const setEnabled = (enabled: boolean) => update.mutate({ ...target, body: { segment: { enabled } } })
  const renderPrediction = (change: { enabled: false } | { removed: true }) =>
    keyId && workspace && isOn ? (
      <PredictionPanel
        dataset_id={input.dataset_id}
        workspace={workspace}
        keyId={keyId}
        edit={{ segments: [{ id: input.segment_id, document_id: input.document_id, ...change }] }}
      />
    ) : null
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
              <Menu.Item onClick={() => setEnabled(!isOn)}>{isOn ? t('disable') : t('enable')}</Menu.Item>
            ) : null}
            {canUpdate && isOn ? (
              <Menu.Item onClick={() => setDisabling(true)}>{t('checkBeforeDisabling')}</Menu.Item>
            ) : null}
            {canDelete ? (
              <Menu.Item
                onClick={() =>
                  openDelete({
                    title: t('deleteTitle', { title }),
                    children: renderPrediction({ removed: true }),
                    run: () => remove.mutateAsync(target),
                  })
                }
              >
                {t('delete')}
              </Menu.Item>
            ) : null}
          </Menu.Dropdown>
        </Menu>
      ) : null}
      {isDisabling ? (
        <Dialog onClose={() => setDisabling(false)} title={t('disableTitle', { title })}>
          {renderPrediction({ enabled: false })}
          <div className={fields.buttons}>
            <Button
              onClick={() => {
                setEnabled(false)
                setDisabling(false)
              }}
            >
              {t('disable')}
            </Button>
            <Button variant="default" onClick={() => setDisabling(false)}>
              {t('cancel')}
            </Button>
          </div>
        </Dialog>
      ) : null}
      {update.error ? <ProblemAlert problem={update.error.problem} action={t('changeWhat')} /> : null}
    </Can>
  )
}

export function useSegmentDeletion() {
  const t = useMessages(segmentMessages)
  const openDelete = useDeleteDialog()
  return (question: Pick<DeleteQuestion, 'title' | 'children' | 'run'>) =>
    openDelete({
      lost: [t('deleteLost')],
      kept: [t('deleteKept')],
      confirmLabel: t('delete'),
      cancelLabel: t('cancel'),
      action: t('changeWhat'),
      ...question,
    })
}
