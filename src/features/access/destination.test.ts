import { expect, test } from 'vitest'
import { destination } from './destination.ts'

test.each(['/datasets?page=2', '/chat?conversation=1', '/'])('goes on to %s', (next) => {
  expect(destination(next)).toBe(next)
})

test.each([
  null,
  '',
  '//evil.example',
  '/\\evil.example',
  'https://evil.example',
  'data:text/html,x',
  '/\t/evil.example',
])('goes to the chat instead of %s', (next) => {
  expect(destination(next)).toBe('/chat')
})

test('does not come back to itself', () => {
  expect(destination('/sign-in?next=/sign-in')).toBe('/chat')
})
