import { expect, test } from 'vitest'
import { findChromium } from './findChromium.ts'

const createMachine =
  (...programs: string[]) =>
  (path: string) =>
    programs.includes(path)

test('the one named by CHROMIUM comes first', () => {
  const runs = createMachine('/opt/mine', '/usr/bin/chromium')
  expect(findChromium({ CHROMIUM: '/opt/mine' }, runs)).toEqual({ path: '/opt/mine', problem: '' })
})

test('one named by CHROMIUM that is not there is said, not replaced by another', () => {
  const { path, problem } = findChromium({ CHROMIUM: '/opt/gone' }, createMachine('/usr/bin/chromium'))
  expect(path).toBeNull()
  expect(problem).toContain('/opt/gone')
})

test('then the usual places, then every folder of PATH', () => {
  const PATH = '/a:/b'
  expect(findChromium({ PATH }, createMachine('/usr/bin/chromium', '/a/chromium')).path).toBe('/usr/bin/chromium')
  expect(findChromium({ PATH }, createMachine('/b/google-chrome')).path).toBe('/b/google-chrome')
})

test('where there is none, it says what to do', () => {
  const { path, problem } = findChromium({ PATH: '/a' }, createMachine())
  expect(path).toBeNull()
  expect(problem).toContain('apt-get install chromium fonts-noto-cjk')
})
