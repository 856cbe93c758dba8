import { IconSelector } from '@tabler/icons-react'
import { initialsOf } from '../ui/initials.ts'
import { useWords } from '../ui/words.ts'
import { useWorkspace } from '../wire/useWorkspace.ts'
import { shellWords } from './messages.ts'
import classes from './WorkspaceSwitch.module.css'

/** Which platform one works on. The choice is in the URL; the list is the system's own, laid invisibly over what is drawn. */
export function WorkspaceSwitch({ rail }: { rail: boolean }) {
  const t = useWords(shellWords)
  const { workspaces, workspace, select } = useWorkspace()
  if (!workspace) return null
  const where = hostOf(workspace.base_url)
  return (
    <div className={classes.switch} data-rail={rail || undefined}>
      <span className={classes.initials} aria-hidden="true">
        {initialsOf(workspace.name)}
      </span>
      {rail ? null : (
        <>
          <span className={classes.names} aria-hidden="true">
            <b>{workspace.name}</b>
            <small>{workspace.builtin ? `${where} · ${t('builtin')}` : where}</small>
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
            {name} ({hostOf(base_url)})
          </option>
        ))}
      </select>
    </div>
  )
}

function hostOf(base_url: string): string {
  try {
    return new URL(base_url).host
  } catch {
    return base_url
  }
}
