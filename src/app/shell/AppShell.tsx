import { ActionIcon } from '@mantine/core'
import { useHotkeys, useLocalStorage, useMediaQuery } from '@mantine/hooks'
import { IconMenu2 } from '@tabler/icons-react'
import { Suspense, useEffect, useState } from 'react'
import { Outlet, useLocation, useNavigate } from 'react-router'
import { accessEndpoints } from '#contract/console/access.ts'
import { paths } from '#domain/paths.ts'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { LazyDrawer } from '../../components/overlays/LazyDrawer.tsx'
import { getLocationKey } from '../../components/hooks/locationKey.ts'
import { useShortcuts } from '../../components/hooks/useShortcuts.ts'
import { useRead } from '../../client/query.ts'
import { claimTabDrafts, deleteTabDrafts, hasForeignDrafts } from '../../client/tabDrafts.ts'
import { ScreenErrorBoundary } from './ScreenErrorBoundary.tsx'
import { GoToShortcuts } from '../shortcuts/GoToShortcuts.tsx'
import { NavigationBar } from './NavigationBar.tsx'
import { OtherWorkspaceBanner } from './OtherWorkspaceBanner.tsx'
import { ReadOnlyBanner } from './ReadOnlyBanner.tsx'
import classes from './AppShell.module.css'
import { lazyWithPreload } from '../../components/layout/lazyWithPreload.tsx'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { shellMessages } from './messages.ts'
import { useScreenKeys } from './useScreenKeys.ts'
import { useHeadingFocus } from './useHeadingFocus.ts'

const LazyCommandPalette = lazyWithPreload(async () => (await import('../shortcuts/CommandPalette.tsx')).CommandPalette)
const LazyShortcutsDialog = lazyWithPreload(
  async () => (await import('../shortcuts/ShortcutsDialog.tsx')).ShortcutsDialog,
)

const LazyChoosePassword = lazyWithPreload(
  async () => (await import('../../features/admin/account/ChoosePassword.tsx')).ChoosePassword,
)

type ShellDialog = 'palette' | 'keys' | 'navigation'

/** The frame around every screen: account, navigation and one `main`. */
export function AppShell() {
  const t = useMessages(shellMessages)
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const session = useRead(accessEndpoints.session, {})
  const [isCollapsed, setCollapsed] = useLocalStorage<boolean | null>({
    key: 'loupe-navigation-folded',
    defaultValue: null,
  })
  const currentWorkspace = pathname + search
  useHeadingFocus(pathname)
  const [navigationOpenedAt, setNavigationOpenedAt] = useState<{ layer: ShellDialog; at: string } | null>(null)
  // A dialog belongs to the screen that opened it, even while that screen still renders: navigation closes it.
  const screenKeys = useScreenKeys()
  const openDialog = navigationOpenedAt && screenKeys.includes(navigationOpenedAt.at) ? navigationOpenedAt.layer : null
  const setOpenDialog = (next: ShellDialog | null) =>
    setNavigationOpenedAt(next && { layer: next, at: getLocationKey() })
  const isNarrow = useMediaQuery('(max-width: 640px)', false, { getInitialValueInEffect: false })
  const isWide = useMediaQuery('(min-width: 1600px)', false, { getInitialValueInEffect: false })
  const isWorkbench =
    /^\/(chat|completion|workflows|runs\/|compare\/)/.test(pathname) || pathname.includes('/documents/')
  const isRail = isCollapsed ?? (isWorkbench && !isWide)

  const signedOut = session.error?.problem.kind === 'denied'
  useEffect(() => {
    if (signedOut) void navigate(paths.signIn(currentWorkspace), { replace: true })
  }, [signedOut, navigate, currentWorkspace])

  // The only shortcut that works in a text field.
  useHotkeys([['mod+K', () => setOpenDialog('palette')]], [])
  // Keys typed while a dialog is loading are meant for the dialog.
  useShortcuts(
    openDialog
      ? []
      : [
          ['shift+?', () => setOpenDialog('keys')],
          ['[', () => setCollapsed(!isRail)],
        ],
  )

  const person_id = session.data?.person.id
  const isOther = person_id !== undefined && hasForeignDrafts(person_id)
  useEffect(() => {
    if (person_id === undefined) return
    if (!isOther) return claimTabDrafts(person_id)
    deleteTabDrafts()
    // The page has what the other person typed, too.
    location.reload()
  }, [person_id, isOther])

  if (signedOut || session.isPending || isOther) return null
  // A later read that fails removes nothing: the screens keep what is typed on them.
  if (session.isLoadingError)
    return (
      <main className={classes.alone}>
        <ProblemAlert problem={session.error.problem} onRetry={() => void session.refetch()} />
      </main>
    )
  if (session.data.needs_account)
    return (
      <Suspense>
        <LazyChoosePassword person={session.data.person} />
      </Suspense>
    )
  const navigation = (rail: boolean) => (
    <NavigationBar
      person={session.data.person}
      isRail={rail}
      onCollapse={isNarrow ? undefined : () => setCollapsed(!isRail)}
      onCommandPalette={() => setOpenDialog('palette')}
      onShortcuts={() => setOpenDialog('keys')}
    />
  )
  return (
    <div className={classes.shell} data-rail={isRail || undefined}>
      <a className={classes.skip} href="#content">
        {t('skip')}
      </a>
      {isNarrow ? (
        <>
          <ActionIcon
            className={classes.menu}
            size={36}
            aria-label={t('openNavigation')}
            onClick={() => setOpenDialog('navigation')}
          >
            <IconMenu2 size={20} />
          </ActionIcon>
          <LazyDrawer
            opened={openDialog === 'navigation'}
            onClose={() => setOpenDialog(null)}
            label={t('navigation')}
            position="left"
            size={260}
          >
            {navigation(false)}
          </LazyDrawer>
        </>
      ) : (
        navigation(isRail)
      )}
      <main id="content" className={classes.main} tabIndex={-1}>
        <ReadOnlyBanner />
        <OtherWorkspaceBanner />
        <ScreenErrorBoundary at={pathname}>
          <Suspense>
            <Outlet />
          </Suspense>
        </ScreenErrorBoundary>
      </main>
      {openDialog ? null : <GoToShortcuts />}
      <Suspense>
        {openDialog === 'palette' ? (
          <LazyCommandPalette onClose={() => setOpenDialog(null)} onShortcuts={() => setOpenDialog('keys')} />
        ) : null}
        {openDialog === 'keys' ? <LazyShortcutsDialog onClose={() => setOpenDialog(null)} /> : null}
      </Suspense>
    </div>
  )
}
