import { ActionIcon } from '@mantine/core'
import { useHotkeys, useLocalStorage, useMediaQuery } from '@mantine/hooks'
import { IconMenu2 } from '@tabler/icons-react'
import { Suspense, useEffect, useState } from 'react'
import { Outlet, useLocation, useNavigate } from 'react-router'
import { contract } from '#contract/index.ts'
import { paths } from '../paths.ts'
import { ProblemNote } from '../ui/ProblemNote.tsx'
import { Sheet } from '../ui/Sheet.tsx'
import { useLetterKeys } from '../ui/useLetterKeys.ts'
import { useRead } from '../wire/query.ts'
import { Crash } from './Crash.tsx'
import { GoKeys } from './GoKeys.tsx'
import { Navigation } from './Navigation.tsx'
import { ReadOnly } from './ReadOnly.tsx'
import classes from './Shell.module.css'
import { part } from '../ui/part.tsx'
import { useWords } from '../ui/words.ts'
import { shellWords } from './messages.ts'
import { keyOfAddress, usePlace } from './usePlace.ts'

const Palette = part(async () => (await import('./Palette.tsx')).Palette)
const Keys = part(async () => (await import('./Keys.tsx')).Keys)

const ChoosePassword = part(async () => (await import('../features/account/ChoosePassword.tsx')).ChoosePassword)

type Layer = 'palette' | 'keys' | 'navigation'

/** The frame around every screen: who is signed in, where one can go, and one `main`. */
export function Shell() {
  const t = useWords(shellWords)
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const session = useRead(contract.console.session, {})
  const [folded, setFolded] = useLocalStorage<boolean | null>({ key: 'loupe-navigation-folded', defaultValue: null })
  const here = pathname + search
  const [opened, setOpened] = useState<{ layer: Layer; at: string } | null>(null)
  // A layer belongs to the place where it was opened, even one that is still being drawn: going elsewhere closes it.
  const place = usePlace()
  const layer = opened && place.includes(opened.at) ? opened.layer : null
  const setLayer = (next: Layer | null) => setOpened(next && { layer: next, at: keyOfAddress() })
  const isNarrow = useMediaQuery('(max-width: 640px)', false, { getInitialValueInEffect: false })
  const isWide = useMediaQuery('(min-width: 1600px)', false, { getInitialValueInEffect: false })
  const isWorkbench =
    /^\/(chat|completion|workflows|runs\/|compare\/)/.test(pathname) || pathname.includes('/documents/')
  const isRail = folded ?? (isWorkbench && !isWide)

  const signedOut = session.error?.problem.kind === 'denied'
  useEffect(() => {
    if (signedOut) void navigate(paths.signIn(here), { replace: true })
  }, [signedOut, navigate, here])

  // The only key that works while one types.
  useHotkeys([['mod+K', () => setLayer('palette')]], [])
  // What is typed while a layer is still coming is meant for it.
  useLetterKeys(
    layer
      ? []
      : [
          ['shift+?', () => setLayer('keys')],
          ['[', () => setFolded(!isRail)],
        ],
  )

  if (signedOut || session.isPending) return null
  if (session.error)
    return (
      <main className={classes.alone}>
        <ProblemNote problem={session.error.problem} onRetry={() => void session.refetch()} />
      </main>
    )
  if (session.data.needs_account)
    return (
      <Suspense>
        <ChoosePassword person={session.data.person} />
      </Suspense>
    )
  const navigation = (rail: boolean) => (
    <Navigation
      person={session.data.person}
      rail={rail}
      onFold={isNarrow ? undefined : () => setFolded(!isRail)}
      onPalette={() => setLayer('palette')}
      onKeys={() => setLayer('keys')}
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
            onClick={() => setLayer('navigation')}
          >
            <IconMenu2 size={20} />
          </ActionIcon>
          <Sheet
            opened={layer === 'navigation'}
            onClose={() => setLayer(null)}
            label={t('navigation')}
            position="left"
            size={260}
          >
            {navigation(false)}
          </Sheet>
        </>
      ) : (
        navigation(isRail)
      )}
      <main id="content" className={classes.main} tabIndex={-1}>
        <ReadOnly />
        <Crash at={pathname}>
          <Suspense>
            <Outlet />
          </Suspense>
        </Crash>
      </main>
      {layer ? null : <GoKeys />}
      <Suspense>
        {layer === 'palette' ? <Palette onClose={() => setLayer(null)} onKeys={() => setLayer('keys')} /> : null}
        {layer === 'keys' ? <Keys onClose={() => setLayer(null)} /> : null}
      </Suspense>
    </div>
  )
}
