import { Button, Menu } from '@mantine/core'
import { IconArrowsDiff, IconDownload, IconRepeat, IconTag, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { EXPORT_PERMISSION } from '#contract/permissions.ts'
import { chatEndpoints } from '#contract/platform/chat.ts'
import { CALL_FORMATS, callEndpoints } from '#contract/console/calls.ts'
import { paths } from '#domain/paths.ts'
import { Can } from '../../../client/Can.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { isRunRow } from './callListRow.ts'
import classes from './CallList.module.css'
import { callListMessages } from './messages.ts'
import { ReplayRuns } from './ReplayRuns.tsx'
import { TagRuns } from './TagRuns.tsx'
import type { CallSelection } from './useCallSelection.ts'

/** What can be done with the selected calls: compare two, replay, export and tag many. */
export function SelectionBar({ selection, workspace }: { selection: CallSelection; workspace: string }) {
  const t = useMessages(callListMessages)
  const [dialog, setDialog] = useState<'replay' | 'tag' | null>(null)
  const { rows } = selection
  const runs = rows.filter(isRunRow)
  const [newer, older] = [...runs].sort((one, other) => other.created_at.localeCompare(one.created_at))
  const canCompare = rows.length === 2 && newer !== undefined && older !== undefined
  if (rows.length === 0) return null
  const ids = rows.map(({ id }) => id).join(',')
  return (
    <div className={classes.selection} role="group" aria-label={t('selection')}>
      <b role="status">{t('selected', { count: rows.length })}</b>
      {canCompare ? (
        <Button
          variant="default"
          leftSection={<IconArrowsDiff size={14} />}
          component={Link}
          to={paths.run(newer.id, { workspace: newer.workspace, with: older.id })}
        >
          {t('compare')}
        </Button>
      ) : (
        <Button variant="default" leftSection={<IconArrowsDiff size={14} />} disabled title={t('compareHint')}>
          {t('compare')}
        </Button>
      )}
      <Can entry={chatEndpoints.send}>
        <Button
          variant="default"
          leftSection={<IconRepeat size={14} />}
          disabled={runs.length === 0}
          onClick={() => setDialog('replay')}
        >
          {t('replay')}
        </Button>
      </Can>
      <Can entry={EXPORT_PERMISSION}>
        <Menu position="bottom-start">
          <Menu.Target>
            <Button variant="default" leftSection={<IconDownload size={14} />}>
              {t('export')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {CALL_FORMATS.map((format) => (
              <Menu.Item
                key={format}
                component="a"
                href={`/api/calls/export?${new URLSearchParams({ workspace, ids, format }).toString()}`}
                download
              >
                {t(format)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      </Can>
      <Can entry={callEndpoints.tagRuns}>
        <Button
          variant="default"
          leftSection={<IconTag size={14} />}
          disabled={runs.length === 0}
          onClick={() => setDialog('tag')}
        >
          {t('tag')}
        </Button>
      </Can>
      <Button variant="subtle" leftSection={<IconX size={14} />} onClick={() => selection.setAll([])}>
        {t('clearSelection')}
      </Button>
      {dialog === 'tag' ? <TagRuns runs={runs} workspace={workspace} onClose={() => setDialog(null)} /> : null}
      {dialog === 'replay' ? <ReplayRuns runs={runs} onClose={() => setDialog(null)} /> : null}
    </div>
  )
}
