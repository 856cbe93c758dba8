import { ActionIcon, Menu } from '@mantine/core'
import { IconColumns3, IconDots, IconDownload, IconExternalLink } from '@tabler/icons-react'
import { Link } from 'react-router'
import { isActiveStatus, type Run } from '#contract/console/runs.ts'
import { EXPORT_PERMISSION } from '#contract/permissions.ts'
import { savedItemEndpoints } from '#contract/console/savedItems.ts'
import { paths } from '#domain/paths.ts'
import { usePermission } from '../../../client/usePermission.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { runListMessages } from '../list/messages.ts'

const PLAYGROUND_MESSAGES = {
  'chat.send': 'openChat',
  'completion.send': 'openCompletion',
  'workflows.run': 'openWorkflow',
} as const

/** What one does with a stored run elsewhere: open it in its playground, export it, add it to a board. */
export function RunMoreMenu({ run, onExport }: { run: Run; onExport: () => void }) {
  const t = useMessages(runListMessages)
  const can = usePermission()
  const canAdd = can(savedItemEndpoints.updateSavedItem)
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={t('more')} title={t('more')}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconExternalLink size={14} />} component={Link} to={getPlaygroundPath(run)}>
          {t(PLAYGROUND_MESSAGES[run.entry])}
        </Menu.Item>
        {isActiveStatus(run.status) || !can(EXPORT_PERMISSION) ? null : (
          <Menu.Item leftSection={<IconDownload size={14} />} onClick={onExport}>
            {t('export')}
          </Menu.Item>
        )}
        {canAdd ? (
          <Menu.Item
            leftSection={<IconColumns3 size={14} />}
            component={Link}
            to={paths.compare({ workspace: run.workspace, run: run.id })}
          >
            {t('addToBoard')}
          </Menu.Item>
        ) : null}
      </Menu.Dropdown>
    </Menu>
  )
}

/** The URL of the playground for a run. */
function getPlaygroundPath({ id, entry, workspace, key, conversation_id }: Run): string {
  if (entry === 'completion.send') return paths.completion({ workspace, app: key, run: id })
  if (entry === 'workflows.run') return paths.workflows({ workspace, app: key, run: id })
  return paths.chat({ workspace, app: key, conversation: conversation_id, run: id })
}
