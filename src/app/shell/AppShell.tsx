import { ActionIcon } from '@mantine/core'
import { useHotkeys, useLocalStorage, useMediaQuery } from '@mantine/hooks'
import { IconMenu2 } from '@tabler/icons-react'
import { Suspense, useEffect, useState, useRef } from 'react'
import { Outlet, useLocation, useNavigate, useSearchParams, Link, useNavigationType } from 'react-router'
import { accessEndpoints } from '#contract/console/access.ts'
import { paths } from '#domain/paths.ts'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { LazyDrawer } from '../../components/overlays/LazyDrawer.tsx'
import { getLocationKey } from '../../components/hooks/locationKey.ts'
import { useShortcuts, goToPrefix } from '../../components/hooks/useShortcuts.ts'
import { useRead } from '../../client/query.ts'
import { claimTabDrafts, deleteTabDrafts, hasForeignDrafts } from '../../client/tabDrafts.ts'
import { ScreenErrorBoundary } from './ScreenErrorBoundary.tsx'
import { NavigationBar } from './NavigationBar.tsx'
import classes from './AppShell.module.css'
import { lazyWithPreload } from '../../components/layout/lazyWithPreload.tsx'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { shellMessages } from './messages.ts'
import { useWorkspace } from '../../client/useWorkspace.ts'
import { findScreen, findOfferedScreens, toScreenUrl } from '../navigation.ts'
import { workspaceEndpoints } from '#contract/console/workspaces.ts'

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

/** Explains that a screen shows another workspace than the one in its URL, which this person cannot see. */
function OtherWorkspaceBanner() {
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

/** Explains on every screen that the console is read-only while the master key does not match. */
function ReadOnlyBanner() {
  const t = useMessages(shellMessages)
  const reason = useRead(workspaceEndpoints.listWorkspaces, {}).data?.read_only
  if (!reason) return null
  return (
    <p className={classes.banner} role="alert">
      <b>{t('readOnly')}</b> {reason} <Link to={paths.workspaces()}>{t('readOnlyWhere')}</Link>
    </p>
  )
}

/**
 * Identifies the current screen by its history keys: navigation starts a new list; a screen that only normalizes its
 * own URL keeps the list.
 */
export function useScreenKeys(): readonly string[] {
  const { key, pathname } = useLocation()
  const isReplaced = useNavigationType() === 'REPLACE'
  const [screenKeys, setScreenKeys] = useState({ pathname, keys: [key] })
  if (screenKeys.keys.includes(key)) return screenKeys.keys
  const keys = isReplaced && screenKeys.pathname === pathname ? [...screenKeys.keys, key] : [key]
  setScreenKeys({ pathname, keys })
  return keys
}

/** How long (ms) a screen may take to render its heading. */
const HEADING_TIMEOUT_MS = 5_000

/**
 * Moves the focus to the heading of a screen after navigation, so that the next Tab is in the screen and a screen
 * reader says where it is. Exceptions: a field that the screen has focused itself, a list that restores its row, and
 * the first screen, which begins with the skip link.
 */
function useHeadingFocus(pathname: string): void {
  const last = useRef(pathname)
  useEffect(() => {
    if (last.current === pathname) return
    last.current = pathname
    const main = document.querySelector('main')
    if (!main) return
    const before = document.activeElement
    const focusHeading = () => {
      const active = document.activeElement
      const hasFocusMoved = active !== document.body && active !== before
      const heading = main.querySelector('h1')
      const isDone = hasFocusMoved || (active !== document.body && main.contains(active))
      if (!isDone && heading) {
        heading.tabIndex = -1
        heading.focus({ preventScroll: true })
      }
      if (isDone || heading) observer.disconnect()
    }
    const observer = new MutationObserver(focusHeading)
    observer.observe(main, { childList: true, subtree: true })
    focusHeading()
    const timer = setTimeout(() => observer.disconnect(), HEADING_TIMEOUT_MS)
    return () => {
      clearTimeout(timer)
      observer.disconnect()
    }
  }, [pathname])
}

/** `g` and then another key within a second opens a screen. */
function GoToShortcuts() {
  const navigate = useNavigate()
  const { workspace } = useWorkspace()
  const role = useRead(accessEndpoints.session, {}).data?.person.role
  const [isPrefixPressed, setPrefixPressed] = useState(false)
  useEffect(() => {
    if (!isPrefixPressed) return
    goToPrefix.isPending = true
    const timer = setTimeout(() => setPrefixPressed(false), 1_000)
    return () => {
      goToPrefix.isPending = false
      clearTimeout(timer)
    }
  }, [isPrefixPressed])
  const go = (path: string) => () => {
    if (!isPrefixPressed) return
    setPrefixPressed(false)
    void navigate(path)
  }
  const keys: [string, () => void][] = [
    ['g', () => setPrefixPressed(true)],
    ...findOfferedScreens(role, workspace).flatMap((screen): [string, () => void][] =>
      screen.shortcut && !screen.isBlocked ? [[screen.shortcut, go(toScreenUrl(screen, workspace))]] : [],
    ),
  ]
  useShortcuts(keys, { second: true })
  return null
}
