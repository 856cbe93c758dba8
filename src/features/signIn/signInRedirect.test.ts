import { expect, test } from 'vitest'
import { getSignInRedirect } from './SignInPage.tsx'

test.each(['/datasets?page=2', '/chat?conversation=1', '/'])('goes on to %s', (next) => {
  expect(getSignInRedirect(next)).toBe(next)
})

test.each([
  null,
  '',
  '//evil.example',
  '/\\evil.example',
  'https://evil.example',
  'data:text/html,x',
  '/\t/evil.example',
])('goes to Home instead of %s', (next) => {
  expect(getSignInRedirect(next)).toBe('/')
})

test('does not come back to itself', () => {
  expect(getSignInRedirect('/sign-in?next=/sign-in')).toBe('/')
})
