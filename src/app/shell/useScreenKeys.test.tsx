import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { BrowserRouter, useNavigate } from 'react-router'
import { expect, test } from 'vitest'
import { getLocationKey } from '../../components/hooks/locationKey.ts'
import { useScreenKeys } from './AppShell.tsx'

const Wrapper = ({ children }: { children: ReactNode }) => <BrowserRouter>{children}</BrowserRouter>

test('a screen that straightens its own address stays the same place; going elsewhere or on is another', async () => {
  history.replaceState(null, '', '/runs')
  const { result } = renderHook(() => ({ place: useScreenKeys(), navigate: useNavigate() }), { wrapper: Wrapper })
  const go = (to: string, replace: boolean) => act(async () => result.current.navigate(to, { replace }))
  const opened = getLocationKey()
  expect(result.current.place).toContain(opened)

  await go('/runs?workspace=1', true)
  expect(result.current.place).toContain(opened)
  expect(result.current.place).toContain(getLocationKey())

  await go('/runs?workspace=1&page=2', false)
  expect(result.current.place).not.toContain(opened)
  expect(result.current.place).toContain(getLocationKey())

  const second = getLocationKey()
  await go('/ledger', true)
  expect(result.current.place).not.toContain(second)
  expect(result.current.place).toContain(getLocationKey())
})
