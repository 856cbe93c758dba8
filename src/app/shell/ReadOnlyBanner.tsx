import { Link } from 'react-router'
import { workspaceEndpoints } from '#contract/console/workspaces.ts'
import { paths } from '#domain/paths.ts'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { useRead } from '../../client/query.ts'
import { shellMessages } from './messages.ts'
import classes from './AppShell.module.css'

/** Explains on every screen that the console is read-only while the master key does not match. */
export function ReadOnlyBanner() {
  const t = useMessages(shellMessages)
  const reason = useRead(workspaceEndpoints.listWorkspaces, {}).data?.read_only
  if (!reason) return null
  return (
    <p className={classes.banner} role="alert">
      <b>{t('readOnly')}</b> {reason} <Link to={paths.workspaces()}>{t('readOnlyWhere')}</Link>
    </p>
  )
}
