import { Suspense } from 'react'
import { BrowserRouter, Route, Routes } from 'react-router'
import { part } from '../ui/part.tsx'
import { Crash } from './Crash.tsx'
import { NotFound } from './NotFound.tsx'
import { SCREENS, screenAt } from './screens.ts'
import { Shell } from './Shell.tsx'

const PAGES = SCREENS.map((screen) => ({ screen, path: screen.path, Page: part(screen.load) }))

/** Has the screen at a path on its way. Settles when it can be drawn at once, or when the line is lost: it comes later then. */
export async function preloadScreen(pathname: string): Promise<void> {
  const screen = screenAt(pathname)
  const { Page } = PAGES.find((page) => page.screen === screen) ?? {}
  await screen?.load().then(Page?.preload, () => undefined)
}

/** Who is not signed in sees this one alone, without the frame. */
const ALONE = '/sign-in'

/** Every screen in the frame that is around them all. */
export function Router() {
  return (
    <BrowserRouter>
      <Crash>
        <Suspense>
          <Routes>
            {PAGES.filter(({ path }) => path === ALONE).map(({ path, Page }) => (
              <Route key={path} path={path} element={<Page />} />
            ))}
            <Route element={<Shell />}>
              {PAGES.filter(({ path }) => path !== ALONE).map(({ path, Page }) => (
                <Route key={path} path={path} element={<Page />} />
              ))}
              <Route path="*" element={<NotFound />} />
            </Route>
          </Routes>
        </Suspense>
      </Crash>
    </BrowserRouter>
  )
}
