import { ActionIcon, Kbd, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import {
  IconActivity,
  IconBook2,
  IconBookmark,
  IconColumns3,
  IconCursorText,
  IconKey,
  IconKeyboard,
  IconHome,
  IconLayoutSidebar,
  IconLogout,
  IconMessage,
  IconMoon,
  IconScissors,
  IconSearch,
  IconSitemap,
  IconStack2,
  IconSun,
  IconTable,
  IconUsers,
} from '@tabler/icons-react'
import type { ComponentType, HTMLAttributes, ReactElement } from 'react'
import { NavLink } from 'react-router'
import type { Person } from '#contract/console/access.ts'
import { contract } from '#contract/index.ts'
import { canCall } from '#contract/permissions.ts'
import { paths } from '#domain/paths.ts'
import { getInitials } from '../../components/data/nameInitials.ts'
import { Logo } from '../../components/layout/Logo.tsx'
import { MODIFIER_KEY } from '../../components/hooks/modifierKey.ts'
import { Tooltip } from '../../components/overlays/Tooltip.tsx'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { useWorkspace } from '../../client/useWorkspace.ts'
import { shellMessages } from './messages.ts'
import classes from './NavigationBar.module.css'
import { WorkspaceSelect } from './WorkspaceSelect.tsx'
import { useSignOut } from '../../client/useSignOut.ts'

export interface NavigationBarProps {
  person: Person
  /** Icons alone, 52 px wide. */
  isRail: boolean
  onCollapse: (() => void) | undefined
  onCommandPalette: () => void
  onShortcuts: () => void
}

/** Where one can go: screens that exist, and no others. */
export function NavigationBar({ person, isRail, onCollapse, onCommandPalette, onShortcuts }: NavigationBarProps) {
  const t = useMessages(shellMessages)
  const { workspace } = useWorkspace()
  const workspaceSearch = workspace ? { workspace: workspace.id } : {}
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
      <NavigationHeading isRail={isRail} text={t('try')} />
      <NavigationItem isRail={isRail} to={paths.home()} icon={IconHome} label={t('home')} isExact />
      <NavigationItem isRail={isRail} to={paths.chat(workspaceSearch)} icon={IconMessage} label={t('chat')} />
      <NavigationItem
        isRail={isRail}
        to={paths.completion(workspaceSearch)}
        icon={IconCursorText}
        label={t('completion')}
      />
      <NavigationItem isRail={isRail} to={paths.workflows(workspaceSearch)} icon={IconSitemap} label={t('workflows')} />
      <NavigationItem isRail={isRail} to={paths.runs(workspaceSearch)} icon={IconActivity} label={t('runs')} />
      <NavigationItem isRail={isRail} to={paths.compare(workspaceSearch)} icon={IconColumns3} label={t('compare')} />
      <NavigationItem isRail={isRail} to={paths.batches(workspaceSearch)} icon={IconTable} label={t('batches')} />
      <NavigationItem isRail={isRail} to={paths.ledger(workspaceSearch)} icon={IconBook2} label={t('ledger')} />
      <NavigationItem
        isRail={isRail}
        to={paths.annotations(workspaceSearch)}
        icon={IconBookmark}
        label={t('annotations')}
      />
      <NavigationHeading isRail={isRail} text={t('knowledge')} />
      <NavigationItem isRail={isRail} to={paths.datasets(workspaceSearch)} icon={IconStack2} label={t('datasets')} />
      <NavigationItem isRail={isRail} to={paths.lab(workspaceSearch)} icon={IconScissors} label={t('chunkLab')} />
      <NavigationHeading isRail={isRail} text={t('manage')} />
      <NavigationItem isRail={isRail} to={paths.workspaces()} icon={IconKey} label={t('workspacesAndKeys')} />
      {canCall(person.role, contract.console.listPeople) ? (
        <NavigationItem isRail={isRail} to={paths.people()} icon={IconUsers} label={t('people')} />
      ) : null}
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
}: {
  isRail: boolean
  to: string
  icon: ComponentType<{ size: number; stroke: number }>
  label: string
  /** The page is that address alone, and none below it. */
  isExact?: boolean
}) {
  return (
    <RailTooltip isRail={isRail} label={label}>
      <NavLink to={to} end={isExact} className={classes.item} aria-label={isRail ? label : undefined}>
        <Icon size={16} stroke={1.8} />
        {isRail ? null : label}
      </NavLink>
    </RailTooltip>
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
  const signOut = useSignOut(() => location.assign(paths.signIn()))
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
        <NavLink to={paths.account()} className={classes.person} aria-label={isRail ? t('account') : undefined}>
          <span className={classes.initials} aria-hidden="true">
            {getInitials(person.name)}
          </span>
          {isRail ? null : (
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
