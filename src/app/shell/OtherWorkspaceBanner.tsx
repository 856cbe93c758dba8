import { useLocation, useSearchParams } from 'react-router'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { useWorkspace } from '../../client/useWorkspace.ts'
import { findScreen } from '../navigation.ts'
import { shellMessages } from './messages.ts'
import classes from './AppShell.module.css'

/** Explains that a screen shows another workspace than the one in its URL, which this person cannot see. */
export function OtherWorkspaceBanner() {
  const t = useMessages(shellMessages)
  const { pathname } = useLocation()
  const [search] = useSearchParams()
  const { workspaces, workspace } = useWorkspace()
  const asked = search.get('workspace')
  if (!asked || !workspace || workspaces.some(({ id }) => id === asked)) return null
  // The other screens show what the rest of their URL names.
  if (!findScreen(pathname)?.menu?.inWorkspace) return null
  return (
    <p className={classes.banner} role="alert">
      {t('otherWorkspace', { workspace: workspace.name })}
    </p>
  )
}
