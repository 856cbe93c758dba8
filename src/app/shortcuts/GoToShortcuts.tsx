import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { goToPrefix, useShortcuts } from '../../components/hooks/useShortcuts.ts'
import { useWorkspace } from '../../client/useWorkspace.ts'
import { MENU_SCREENS, toScreenUrl } from '../navigation.ts'

/** `g` and then another key within a second opens a screen. */
export function GoToShortcuts() {
  const navigate = useNavigate()
  const { workspace } = useWorkspace()
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
    ...MENU_SCREENS.flatMap((screen): [string, () => void][] =>
      screen.shortcut ? [[screen.shortcut, go(toScreenUrl(screen, workspace))]] : [],
    ),
  ]
  useShortcuts(keys, { second: true })
  return null
}
