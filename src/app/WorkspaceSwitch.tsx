import { Menu } from '@mantine/core'
import { IconSelector } from '@tabler/icons-react'
import { useTranslations } from 'use-intl'
import { useWorkspace } from '../wire/useWorkspace.ts'
import classes from './WorkspaceSwitch.module.css'

/** Which platform one works on. The choice is in the URL. */
export function WorkspaceSwitch({ rail }: { rail: boolean }) {
  const t = useTranslations('shell')
  const { workspaces, workspace, select } = useWorkspace()
  if (!workspace) return null
  const where = hostOf(workspace.base_url)
  return (
    <Menu position="bottom-start" width={240}>
      <Menu.Target>
        <button
          type="button"
          className={classes.switch}
          data-rail={rail || undefined}
          title={`${t('workspace')}: ${workspace.name}`}
        >
          <span className={classes.initials} aria-hidden={!rail}>
            {initialsOf(workspace.name)}
          </span>
          {rail ? null : (
            <>
              <span className={classes.names}>
                <b>{workspace.name}</b>
                <small>{workspace.builtin ? `${where} · ${t('builtin')}` : where}</small>
              </span>
              <IconSelector size={15} aria-hidden="true" />
            </>
          )}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {workspaces.map(({ id, name, base_url }) => (
          <Menu.Item key={id} onClick={() => select(id)} aria-current={id === workspace.id || undefined}>
            {name}
            <br />
            <small className={classes.where}>{hostOf(base_url)}</small>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

const initialsOf = (name: string) =>
  name
    .split(/[\s-]+/)
    .slice(0, 2)
    .map((word) => word[0]?.toUpperCase())
    .join('')

function hostOf(base_url: string): string {
  try {
    return new URL(base_url).host
  } catch {
    return base_url
  }
}
