import { expect, test } from 'vitest'
import { isPlatformFile, toLinkedFileUrl } from './linkedFile.ts'

const BASE = 'https://dify.example/v1'

test.each([
  ['/files/tools/a.png?sign=1', BASE, true],
  ['https://dify.example/files/a.png', BASE, true],
  ['/intern/files/a.png', 'https://dify.example/intern/v1', true],
  ['/files/a.png', 'https://dify.example', true],
  ['https://dify.example/v1/info', BASE, false],
  ['https://dify.example/files/%2e%2e/v1/info', BASE, false],
  ['http://dify.example/files/a.png', BASE, false],
  ['https://dify.example:8443/files/a.png', BASE, false],
  ['https://dify.example.evil/files/a.png', BASE, false],
  ['https://dify.example@evil.example/files/a.png', BASE, false],
])('what is a file of the platform is told by its address: %s', (given, base, isFile) => {
  const url = toLinkedFileUrl(given, base)
  expect(url !== null && isPlatformFile(url, base)).toBe(isFile)
})

test.each([
  '/v1/info',
  '/files/../v1/info',
  '/files\\..\\v1/info',
  '//evil.example/a.png',
  '/\\evil.example/a.png',
  '../files/a.png',
  'file:///etc/passwd',
  'mailto:a@evil.example',
  'http://',
])('what is no file has no address: %s', (given) => expect(toLinkedFileUrl(given, BASE)).toBeNull())
