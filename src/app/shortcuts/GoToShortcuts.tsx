import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '#domain/paths.ts'
import { goToPrefix, useShortcuts } from '../../components/hooks/useShortcuts.ts'
import { useWorkspace } from '../../client/useWorkspace.ts'

/** `g` and then a letter within a second goes to a screen. */
export function GoToShortcuts() {
  const navigate = useNavigate()
  const { workspace } = useWorkspace()
  const workspaceSearch = workspace ? { workspace: workspace.id } : {}
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
    ['h', go(paths.home())],
    ['c', go(paths.chat(workspaceSearch))],
    ['t', go(paths.completion(workspaceSearch))],
    ['w', go(paths.workflows(workspaceSearch))],
    ['r', go(paths.runs(workspaceSearch))],
    ['b', go(paths.compare(workspaceSearch))],
    ['q', go(paths.batches(workspaceSearch))],
    ['a', go(paths.annotations(workspaceSearch))],
    ['d', go(paths.datasets(workspaceSearch))],
    ['l', go(paths.ledger(workspaceSearch))],
  ]
  useShortcuts(keys, { second: true })
  return null
}
