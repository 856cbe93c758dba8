import { expect, test } from 'vitest'
import { makeKey } from '../client/session.testing.ts'
import { SCREENS, findOfferedScreens, findScreen } from './navigation.ts'

test('a path leads to its screen, and words in an address come before an id', () => {
  const pathOf = (pathname: string) => findScreen(pathname)?.path
  expect(pathOf('/')).toBe('/')
  expect(pathOf('/chat')).toBe('/chat')
  expect(pathOf('/chat/')).toBe('/chat')
  expect(pathOf('/runs/open')).toBe('/runs/open')
  expect(pathOf('/runs/5cdff60a-06a3-4c44-96ab-b4f1e3e8d25e')).toBe('/runs/:run_id')
  expect(pathOf('/datasets/1/documents/2')).toBe('/datasets/:dataset_id/documents/:document_id')
  expect(pathOf('/nowhere')).toBeUndefined()
})

test('no two screens have one address', () => {
  expect(new Set(SCREENS.map(({ path }) => path.replace(/:\w+/g, ':id'))).size).toBe(SCREENS.length)
})

test('a screen that a role can never use is not offered; one that the grants exclude is offered, and blocked', () => {
  const titles = (role: 'viewer' | 'admin') => findOfferedScreens(role, undefined).map(({ title }) => title)
  expect(titles('admin')).toContain('People')
  expect(titles('viewer')).not.toContain('People')
  const blocked = (access: 'all' | 'keys') =>
    findOfferedScreens('operator', { access, keys: [makeKey('chat', 'Handbook assistant')] })
      .filter(({ isBlocked }) => isBlocked)
      .map(({ title }) => title)
  expect(blocked('keys')).toEqual(['Completion', 'Workflows', 'Datasets'])
  expect(blocked('all')).toEqual([])
})
