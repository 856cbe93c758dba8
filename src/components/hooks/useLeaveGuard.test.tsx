import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { Link, useLocation, useNavigate } from 'react-router'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { renderPage } from '../../client/page.testing.tsx'
import { NavigationGuard } from '../layout/NavigationGuard.tsx'
import { useLeaveGuard } from './useLeaveGuard.ts'

function Form() {
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const guard = useLeaveGuard(pathname === '/form')
  return (
    <>
      <output>{pathname + search}</output>
      <p>{guard.pendingPath}</p>
      <Link to="/next">link</Link>
      <button onClick={() => void navigate('/next')}>shortcut</button>
      <button onClick={() => void navigate('/next', { replace: true })}>redirect</button>
      <button onClick={() => void navigate('?tab=2')}>tab</button>
      <a href="/api/file" download>
        download
      </a>
      <button onClick={guard.leave}>leave</button>
      <button onClick={guard.stay}>stay</button>
    </>
  )
}

// There is no navigation outside the router here.
beforeAll(() => window.addEventListener('click', (event) => event.preventDefault()))
beforeEach(() => history.replaceState(null, '', '/form'))

test.each([
  ['link', '/form', '/next'],
  ['shortcut', '/form', '/next'],
  ['redirect', '/next', ''],
  ['tab', '/form?tab=2', ''],
  ['download', '/form', ''],
])('a form with unsaved changes and a click on %s: %s, and it asks about “%s”', async (name, path, question) => {
  renderPage(
    <NavigationGuard>
      <Form />
    </NavigationGuard>,
    { router: 'window' },
  )
  const click = (text: string) => userEvent.click(screen.getByText(text))
  const seen = () => [screen.getByRole('status').textContent, screen.getByRole('paragraph').textContent]
  await click(name)
  expect(seen()).toEqual([path, question])
  if (question === '') return
  await click('stay')
  expect(seen()).toEqual(['/form', ''])
  await click(name)
  await click('leave')
  expect(seen()).toEqual(['/next', ''])
})
