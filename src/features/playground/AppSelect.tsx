import type { Key } from '#contract/console/workspaces.ts'
import classes from './AppSelect.module.css'
import blocks from '../../components/layout/Blocks.module.css'

export interface AppSelectProps {
  label: string
  app: Key
  apps: readonly Key[]
  onApp: (app: string) => void
}

/** The name of the app of a playground, and a choice where there are several. */
export function AppSelect({ label, app, apps, onApp }: AppSelectProps) {
  if (apps.length < 2) return <span className={blocks.truncated}>{app.label}</span>
  return (
    <select
      className={classes.select}
      aria-label={label}
      value={app.id}
      onChange={(event) => onApp(event.currentTarget.value)}
    >
      {apps.map(({ id, label: name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  )
}
