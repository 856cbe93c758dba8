import { ActionIcon, Kbd, useComputedColorScheme, useMantineColorScheme, VisuallyHidden } from '@mantine/core'
import {
  IconKeyboard,
  IconLayoutSidebar,
  IconLogout,
  IconMoon,
  IconSearch,
  IconSun,
  IconSelector,
} from '@tabler/icons-react'
import { type ComponentType, Fragment, type HTMLAttributes, type ReactElement } from 'react'
import { NavLink } from 'react-router'
import type { Person } from '#contract/console/access.ts'
import { formEndpoints } from '#contract/console/forms.ts'
import { paths } from '#domain/paths.ts'
import { getInitials } from '../../components/data/nameInitials.ts'
import { Logo } from '../../components/layout/Logo.tsx'
import { MODIFIER_KEY } from '../../components/hooks/modifierKey.ts'
import { Tooltip } from '../../components/overlays/Tooltip.tsx'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { useRead } from '../../client/query.ts'
import { formatGrants } from '../../client/grants.ts'
import { useWorkspace } from '../../client/useWorkspace.ts'
import { findOfferedScreens, type MenuScreen, type OfferedScreen, toScreenUrl } from '../navigation.ts'
import { shellMessages } from './messages.ts'
import classes from './NavigationBar.module.css'
import { useSignOut } from '../../client/useSignOut.ts'
import type { Workspace } from '#contract/console/workspaces.ts'

export interface NavigationBarProps {
  person: Person
  /** Icons only, 52 px wide. */
  isRail: boolean
  onCollapse: (() => void) | undefined
  onCommandPalette: () => void
  onShortcuts: () => void
}

const WAITING_POLL_INTERVAL_MS = 10_000

const MENU_SECTIONS = ['overview', 'try', 'knowledge', 'console'] as const

/** Links to the screens of `navigation.ts`, and the account menu. */
export function NavigationBar({ person, isRail, onCollapse, onCommandPalette, onShortcuts }: NavigationBarProps) {
  const t = useMessages(shellMessages)
  const { workspace } = useWorkspace()
  const screens = findOfferedScreens(person.role, workspace)
  return (
    <nav className={classes.navigation} data-rail={isRail || undefined} aria-label={t('navigation')}>
      <div className={classes.brand}>
        <Logo size={24} />
        {isRail ? null : <span className={classes.word}>Loupe</span>}
        {onCollapse && !isRail ? (
          <ActionIcon aria-label={t('collapseNavigation')} onClick={onCollapse} ml="auto">
            <IconLayoutSidebar size={16} />
          </ActionIcon>
        ) : null}
      </div>
      <WorkspaceSelect isRail={isRail} />
      <RailTooltip isRail={isRail} label={t('palette')}>
        <button
          type="button"
          className={classes.palette}
          onClick={onCommandPalette}
          aria-label={isRail ? t('palette') : undefined}
        >
          <IconSearch size={15} aria-hidden="true" />
          {isRail ? null : (
            <>
              <span>{t('palette')}</span>
              <Kbd size="xs">{MODIFIER_KEY} K</Kbd>
            </>
          )}
        </button>
      </RailTooltip>
      {MENU_SECTIONS.map((section) => (
        <Fragment key={section}>
          {section === 'overview' ? null : <NavigationHeading isRail={isRail} text={t(section)} />}
          {screens
            .filter((screen) => screen.section === section)
            .map((screen) =>
              screen.isBlocked && workspace ? (
                <BlockedItem
                  key={screen.path}
                  isRail={isRail}
                  screen={screen}
                  reason={t('blocked', { workspace: workspace.name, grants: formatGrants(workspace) })}
                />
              ) : (
                <NavigationItem
                  key={screen.path}
                  isRail={isRail}
                  to={toScreenUrl(screen, workspace)}
                  icon={screen.icon}
                  label={screen.title}
                  isExact={screen.path === '/'}
                  hasWaitingCount={screen.hasWaitingCount ?? false}
                />
              ),
            )}
        </Fragment>
      ))}
      <NavigationFooter person={person} isRail={isRail} onCollapse={onCollapse} onShortcuts={onShortcuts} />
    </nav>
  )
}

function NavigationHeading({ isRail, text }: { isRail: boolean; text: string }) {
  return isRail ? <hr className={classes.line} /> : <div className={classes.heading}>{text}</div>
}

function NavigationItem({
  isRail,
  to,
  icon: Icon,
  label,
  isExact = false,
  hasWaitingCount,
}: {
  isRail: boolean
  to: string
  icon: MenuScreen['icon']
  label: string
  /** Active only on this exact path, not on paths below it. */
  isExact?: boolean
  hasWaitingCount: boolean
}) {
  return (
    <RailTooltip isRail={isRail} label={label}>
      <NavLink to={to} end={isExact} className={classes.item}>
        <Icon size={16} stroke={1.8} />
        {isRail ? <VisuallyHidden>{label}</VisuallyHidden> : label}
        {hasWaitingCount ? <WaitingCount /> : null}
      </NavLink>
    </RailTooltip>
  )
}

/** A screen that the person's grants exclude: it stays in its place, can take focus, and says why. */
function BlockedItem({
  isRail,
  screen: { icon: Icon, title },
  reason,
}: {
  isRail: boolean
  screen: OfferedScreen
  reason: string
}) {
  return (
    <Tooltip label={isRail ? `${title}. ${reason}` : reason} position="right">
      <span role="link" aria-disabled="true" tabIndex={0} className={classes.item}>
        <Icon size={16} stroke={1.8} />
        {isRail ? <VisuallyHidden>{title}</VisuallyHidden> : title}
      </span>
    </Tooltip>
  )
}

/** The number of runs that wait for a person; nothing for none. */
function WaitingCount() {
  const t = useMessages(shellMessages)
  const { data } = useRead(
    formEndpoints.listWaiting,
    { query: { limit: 1 } },
    { pollIntervalMs: WAITING_POLL_INTERVAL_MS },
  )
  const count = data?.total ?? 0
  return count === 0 ? null : (
    <span className={classes.badge} title={t('waitingRuns', { count })}>
      {count}
    </span>
  )
}

/** On the rail an icon needs its name on hover and focus. */
function RailTooltip({
  isRail,
  label,
  children,
}: {
  isRail: boolean
  label: string
  children: ReactElement<HTMLAttributes<HTMLElement>>
}) {
  return (
    <Tooltip label={label} position="right" disabled={!isRail}>
      {children}
    </Tooltip>
  )
}

function NavigationFooter({
  person,
  isRail,
  onCollapse,
  onShortcuts,
}: Pick<NavigationBarProps, 'person' | 'isRail' | 'onCollapse' | 'onShortcuts'>) {
  const t = useMessages(shellMessages)
  const { setColorScheme } = useMantineColorScheme()
  const scheme = useComputedColorScheme('light')
  const themeLabel = scheme === 'light' ? t('dark') : t('light')
  const signOut = useSignOut()
  return (
    <div className={classes.foot}>
      {isRail && onCollapse ? (
        <NavigationButton label={t('navigation')} icon={IconLayoutSidebar} onClick={onCollapse} />
      ) : null}
      <NavigationButton
        label={themeLabel}
        icon={scheme === 'light' ? IconMoon : IconSun}
        onClick={() => setColorScheme(scheme === 'light' ? 'dark' : 'light')}
      />
      {isRail ? null : <NavigationButton label={t('keys')} icon={IconKeyboard} onClick={onShortcuts} />}
      <NavigationButton label={t('signOut')} icon={IconLogout} onClick={signOut} />
      <RailTooltip isRail={isRail} label={t('account')}>
        <NavLink to={paths.account()} className={classes.person}>
          <span className={classes.initials} aria-hidden={!isRail}>
            {getInitials(person.name)}
          </span>
          {isRail ? (
            <VisuallyHidden>{t('account')}</VisuallyHidden>
          ) : (
            <span>
              <b>{person.name}</b>
              <br />
              <small>{t(person.role)}</small>
            </span>
          )}
        </NavLink>
      </RailTooltip>
    </div>
  )
}

function NavigationButton({
  label,
  icon: Icon,
  onClick,
}: {
  label: string
  icon: ComponentType<{ size: number }>
  onClick: () => void
}) {
  return (
    <Tooltip label={label} position="right">
      <ActionIcon aria-label={label} onClick={onClick}>
        <Icon size={16} />
      </ActionIcon>
    </Tooltip>
  )
}

/** Selects the workspace, which is part of the URL. A native select lies invisibly over the visible control. */
function WorkspaceSelect({ isRail }: { isRail: boolean }) {
  const t = useMessages(shellMessages)
  const { workspaces, workspace, select } = useWorkspace()
  if (!workspace) return null
  const hostLabel = getHost(workspace.base_url)
  const number = getNumber(workspaces, workspace)
  return (
    <div className={classes.switch} data-rail={isRail || undefined}>
      <span className={classes.initials} data-square aria-hidden="true">
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
