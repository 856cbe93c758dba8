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
import type { Person } from '#contract/access.ts'
import { contract } from '#contract/index.ts'
import { mayCall } from '#contract/roles.ts'
import { paths } from '../paths.ts'
import { initialsOf } from '../ui/initials.ts'
import { Logo } from '../ui/Logo.tsx'
import { MOD_KEY } from '../ui/modKey.ts'
import { Tooltip } from '../ui/Tooltip.tsx'
import { useWords } from '../ui/words.ts'
import { useWorkspace } from '../wire/useWorkspace.ts'
import { shellWords } from './messages.ts'
import classes from './Navigation.module.css'
import { WorkspaceSwitch } from './WorkspaceSwitch.tsx'
import { useSignOut } from '../wire/useSignOut.ts'

export interface NavigationProps {
  person: Person
  /** Icons alone, 52 px wide. */
  rail: boolean
  onFold: (() => void) | undefined
  onPalette: () => void
  onKeys: () => void
}

/** Where one can go: screens that exist, and no others. */
export function Navigation({ person, rail, onFold, onPalette, onKeys }: NavigationProps) {
  const t = useWords(shellWords)
  const { workspace } = useWorkspace()
  const kept = workspace ? { workspace: workspace.id } : {}
  return (
    <nav className={classes.navigation} data-rail={rail || undefined} aria-label={t('navigation')}>
      <div className={classes.brand}>
        <Logo size={24} />
        {rail ? null : <span className={classes.word}>Loupe</span>}
        {onFold && !rail ? (
          <ActionIcon aria-label={t('foldNavigation')} onClick={onFold} ml="auto">
            <IconLayoutSidebar size={16} />
          </ActionIcon>
        ) : null}
      </div>
      <WorkspaceSwitch rail={rail} />
      <Named rail={rail} label={t('palette')}>
        <button
          type="button"
          className={classes.palette}
          onClick={onPalette}
          aria-label={rail ? t('palette') : undefined}
        >
          <IconSearch size={15} aria-hidden="true" />
          {rail ? null : (
            <>
              <span>{t('palette')}</span>
              <Kbd size="xs">{MOD_KEY} K</Kbd>
            </>
          )}
        </button>
      </Named>
      <Heading rail={rail} text={t('try')} />
      <Item rail={rail} to={paths.home()} icon={IconHome} label={t('home')} end />
      <Item rail={rail} to={paths.chat(kept)} icon={IconMessage} label={t('chat')} />
      <Item rail={rail} to={paths.completion(kept)} icon={IconCursorText} label={t('completion')} />
      <Item rail={rail} to={paths.workflows(kept)} icon={IconSitemap} label={t('workflows')} />
      <Item rail={rail} to={paths.runs(kept)} icon={IconActivity} label={t('runs')} />
      <Item rail={rail} to={paths.compare(kept)} icon={IconColumns3} label={t('compare')} />
      <Item rail={rail} to={paths.batches(kept)} icon={IconTable} label={t('batches')} />
      <Item rail={rail} to={paths.ledger(kept)} icon={IconBook2} label={t('ledger')} />
      <Item rail={rail} to={paths.annotations(kept)} icon={IconBookmark} label={t('annotations')} />
      <Heading rail={rail} text={t('knowledge')} />
      <Item rail={rail} to={paths.datasets(kept)} icon={IconStack2} label={t('datasets')} />
      <Item rail={rail} to={paths.lab(kept)} icon={IconScissors} label={t('lab')} />
      <Heading rail={rail} text={t('manage')} />
      <Item rail={rail} to={paths.workspaces()} icon={IconKey} label={t('workspacesAndKeys')} />
      {mayCall(person.role, contract.console.listPeople) ? (
        <Item rail={rail} to={paths.people()} icon={IconUsers} label={t('people')} />
      ) : null}
      <Foot person={person} rail={rail} onFold={onFold} onKeys={onKeys} />
    </nav>
  )
}

function Heading({ rail, text }: { rail: boolean; text: string }) {
  return rail ? <hr className={classes.line} /> : <div className={classes.heading}>{text}</div>
}

function Item({
  rail,
  to,
  icon: Icon,
  label,
  end = false,
}: {
  rail: boolean
  to: string
  icon: ComponentType<{ size: number; stroke: number }>
  label: string
  /** The page is that address alone, and none below it. */
  end?: boolean
}) {
  return (
    <Named rail={rail} label={label}>
      <NavLink to={to} end={end} className={classes.item} aria-label={rail ? label : undefined}>
        <Icon size={16} stroke={1.8} />
        {rail ? null : label}
      </NavLink>
    </Named>
  )
}

/** On the rail an icon needs its name on hover and focus. */
function Named({
  rail,
  label,
  children,
}: {
  rail: boolean
  label: string
  children: ReactElement<HTMLAttributes<HTMLElement>>
}) {
  return (
    <Tooltip label={label} position="right" disabled={!rail}>
      {children}
    </Tooltip>
  )
}

function Foot({ person, rail, onFold, onKeys }: Pick<NavigationProps, 'person' | 'rail' | 'onFold' | 'onKeys'>) {
  const t = useWords(shellWords)
  const { setColorScheme } = useMantineColorScheme()
  const scheme = useComputedColorScheme('light')
  const themeWord = scheme === 'light' ? t('dark') : t('light')
  const leave = useSignOut(() => location.assign(paths.signIn()))
  return (
    <div className={classes.foot}>
      {rail && onFold ? <Tool label={t('navigation')} icon={IconLayoutSidebar} onClick={onFold} /> : null}
      <Tool
        label={themeWord}
        icon={scheme === 'light' ? IconMoon : IconSun}
        onClick={() => setColorScheme(scheme === 'light' ? 'dark' : 'light')}
      />
      {rail ? null : <Tool label={t('keys')} icon={IconKeyboard} onClick={onKeys} />}
      <Tool label={t('signOut')} icon={IconLogout} onClick={leave} />
      <Named rail={rail} label={t('account')}>
        <NavLink to={paths.account()} className={classes.person} aria-label={rail ? t('account') : undefined}>
          <span className={classes.initials} aria-hidden="true">
            {initialsOf(person.name)}
          </span>
          {rail ? null : (
            <span>
              <b>{person.name}</b>
              <br />
              <small>{t(person.role)}</small>
            </span>
          )}
        </NavLink>
      </Named>
    </div>
  )
}

function Tool({
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
