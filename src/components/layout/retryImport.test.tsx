import { expect, test, vi } from 'vitest'
import { retryImport } from './retryImport.ts'

test('a part of the app that does not come is asked for again when the network is back', async () => {
  const part = vi
    .fn<() => Promise<string>>()
    .mockRejectedValueOnce(new TypeError('no network'))
    .mockResolvedValue('here')
  const loaded = retryImport(part)
  await vi.waitFor(() => expect(part).toHaveBeenCalledTimes(1))
  window.dispatchEvent(new Event('online'))
  expect(await loaded).toBe('here')
  expect(part).toHaveBeenCalledTimes(2)
})

test('and after a while, whatever the network says', async () => {
  vi.useFakeTimers()
  const part = vi
    .fn<() => Promise<string>>()
    .mockRejectedValueOnce(new TypeError('no network'))
    .mockResolvedValue('here')
  const loaded = retryImport(part)
  await vi.runAllTimersAsync()
  expect(await loaded).toBe('here')
  vi.useRealTimers()
})

test('a style sheet that did not come is asked for again', async () => {
  document.head.innerHTML = '<link rel="stylesheet" href="/assets/part.css">'
  const before = document.querySelector('link')
  const part = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new Error('no CSS')).mockResolvedValue('here')
  const loaded = retryImport(part)
  await vi.waitFor(() => expect(part).toHaveBeenCalledTimes(1))
  window.dispatchEvent(new Event('online'))
  await loaded
  const after = document.querySelector('link')
  expect(after).not.toBe(before)
  expect(after?.getAttribute('href')).toBe('/assets/part.css')
})
