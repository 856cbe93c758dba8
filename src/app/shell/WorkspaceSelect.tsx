import { IconSelector } from '@tabler/icons-react'
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
  return (
    <div className={classes.switch} data-rail={isRail || undefined}>
      <span className={classes.initials} aria-hidden="true">
        {getInitials(workspace.name)}
      </span>
      {isRail ? null : (
        <>
          <span className={classes.names} aria-hidden="true">
            <b>{workspace.name}</b>
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
        {workspaces.map(({ id, name, base_url }) => (
          <option key={id} value={id}>
            {name} ({getHost(base_url)})
          </option>
        ))}
      </select>
    </div>
  )
}

function getHost(base_url: string): string {
  try {
    return new URL(base_url).host
  } catch {
    return base_url
  }
}
