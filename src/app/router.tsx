import { type ComponentType, Suspense } from 'react'
import { BrowserRouter, Route, Routes, useLocation, Link } from 'react-router'
import { Button } from '@mantine/core'
import { lazyWithPreload } from '../components/layout/lazyWithPreload.tsx'
import { NavigationGuard } from '../components/layout/NavigationGuard.tsx'
import { ScreenErrorBoundary } from './shell/ScreenErrorBoundary.tsx'
import { SCREENS, findScreen } from './navigation.ts'
import { AppShell } from './shell/AppShell.tsx'
import { paths } from '#domain/paths.ts'
import { EmptyState } from '../components/layout/EmptyState.tsx'
import { Page } from '../components/layout/Page.tsx'
import { OverlayProvider } from '../components/overlays/OverlayProvider.tsx'
import { useMessages } from '../components/i18n/useMessages.ts'
import { shellMessages } from './shell/messages.ts'

const SCREEN_PAGES = SCREENS.map((screen) => ({ screen, path: screen.path, Page: lazyWithPreload(screen.load) }))

/** Preloads the screen at a path. Resolves when it can render, or when the connection fails: it loads later then. */
export async function preloadScreen(pathname: string): Promise<void> {
  const screen = findScreen(pathname)
  const { Page } = SCREEN_PAGES.find((page) => page.screen === screen) ?? {}
  await screen?.load().then(Page?.preload, () => undefined)
}

/** Without a session this is the only screen, and it has no frame. */
const SIGN_IN_PATH = '/sign-in'

/** Every screen, inside the common frame. */
export function AppRouter() {
  return (
    <BrowserRouter>
      <NavigationGuard>
        <OverlayProvider>
          <ScreenErrorBoundary>
            <Suspense>
              <Routes>
                {SCREEN_PAGES.filter(({ path }) => path === SIGN_IN_PATH).map(({ path, Page }) => (
                  <Route key={path} path={path} element={<Page />} />
                ))}
                <Route element={<AppShell />}>
                  {SCREEN_PAGES.filter(({ path }) => path !== SIGN_IN_PATH).map(({ path, Page }) => (
                    <Route key={path} path={path} element={<PathScreen Page={Page} />} />
                  ))}
                  <Route path="*" element={<NotFound />} />
                </Route>
              </Routes>
            </Suspense>
          </ScreenErrorBoundary>
        </OverlayProvider>
      </NavigationGuard>
    </BrowserRouter>
  )
}

/** Mounts a page again for each path: no state or open dialog of one resource may act on the next. */
function PathScreen({ Page }: { Page: ComponentType }) {
  const { pathname } = useLocation()
  return <Page key={pathname} />
}

/** Shown for a URL without a screen. */
function NotFound() {
  const t = useMessages(shellMessages)
  const { pathname } = useLocation()
  return (
    <Page title={t('notFound')}>
      <EmptyState
        title={t('notFound')}
        actions={
          <Button component={Link} to={paths.home()}>
            {t('toHome')}
          </Button>
        }
      >
        {t('notFoundWhy', { path: pathname.slice(0, 200) })}
      </EmptyState>
    </Page>
  )
}
