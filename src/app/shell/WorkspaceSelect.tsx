import { IconSelector } from '@tabler/icons-react'
import type { Workspace } from '#contract/console/workspaces.ts'
import { getInitials } from '../../components/data/nameInitials.ts'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { useWorkspace } from '../../client/useWorkspace.ts'
import { shellMessages } from './messages.ts'
import classes from './WorkspaceSelect.module.css'

/** Selects the workspace, which is part of the URL. A native select lies invisibly over the drawn control. */
export function WorkspaceSelect({ isRail }: { isRail: boolean }) {
  const t = useMessages(shellMessages)
  const { workspaces, workspace, select } = useWorkspace()
  if (!workspace) return null
  const hostLabel = getHost(workspace.base_url)
  const number = getNumber(workspaces, workspace)
  return (
    <div className={classes.switch} data-rail={isRail || undefined}>
      <span className={classes.initials} aria-hidden="true">
        {getInitials(workspace.name)}
      </span>
      {isRail ? null : (
        <>
          <span className={classes.names} aria-hidden="true">
            <b>{workspace.name + number}</b>
            <small>{workspace.builtin ? `${hostLabel} · ${t('builtin')}` : hostLabel}</small>
          </span>
          <IconSelector size={15} aria-hidden="true" />
        </>
      )}
      <select
        className={classes.choices}
        aria-label={t('workspace')}
        value={workspace.id}
        onChange={(event) => select(event.currentTarget.value)}
      >
        {workspaces.map((one) => (
          <option key={one.id} value={one.id}>
            {one.name + getNumber(workspaces, one)} ({getHost(one.base_url)})
          </option>
        ))}
      </select>
    </div>
  )
}

/** Tells workspaces of the same name and host apart: empty for the first of them, " 2" for the second. */
function getNumber(workspaces: readonly Workspace[], workspace: Workspace): string {
  const toKey = ({ name, base_url }: Workspace) => `${name} ${getHost(base_url)}`
  const index = workspaces.filter((one) => toKey(one) === toKey(workspace)).indexOf(workspace)
  return index > 0 ? ` ${index + 1}` : ''
}

function getHost(base_url: string): string {
  try {
    return new URL(base_url).host
  } catch {
    return base_url
  }
}
