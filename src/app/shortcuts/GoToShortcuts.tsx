import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { accessEndpoints } from '#contract/console/access.ts'
import { goToPrefix, useShortcuts } from '../../components/hooks/useShortcuts.ts'
import { useWorkspace } from '../../client/useWorkspace.ts'
import { useRead } from '../../client/query.ts'
import { findOfferedScreens, toScreenUrl } from '../navigation.ts'

/** `g` and then another key within a second opens a screen. */
export function GoToShortcuts() {
  const navigate = useNavigate()
  const { workspace } = useWorkspace()
  const role = useRead(accessEndpoints.session, {}).data?.person.role
  const [isPrefixPressed, setPrefixPressed] = useState(false)
  useEffect(() => {
    if (!isPrefixPressed) return
    goToPrefix.isPending = true
    const timer = setTimeout(() => setPrefixPressed(false), 1_000)
    return () => {
      goToPrefix.isPending = false
      clearTimeout(timer)
    }
  }, [isPrefixPressed])
  const go = (path: string) => () => {
    if (!isPrefixPressed) return
    setPrefixPressed(false)
    void navigate(path)
  }
  const keys: [string, () => void][] = [
    ['g', () => setPrefixPressed(true)],
    ...findOfferedScreens(role, workspace).flatMap((screen): [string, () => void][] =>
      screen.shortcut && !screen.isBlocked ? [[screen.shortcut, go(toScreenUrl(screen, workspace))]] : [],
    ),
  ]
  useShortcuts(keys, { second: true })
  return null
}
