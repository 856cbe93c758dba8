import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '../paths.ts'
import { prefix, useLetterKeys } from '../ui/useLetterKeys.ts'
import { useWorkspace } from '../wire/useWorkspace.ts'

/** `g` and then a letter within a second goes to a screen. */
export function GoKeys() {
  const navigate = useNavigate()
  const { workspace } = useWorkspace()
  const kept = workspace ? { workspace: workspace.id } : {}
  const [waits, setWaits] = useState(false)
  useEffect(() => {
    if (!waits) return
    prefix.waits = true
    const timer = setTimeout(() => setWaits(false), 1_000)
    return () => {
      prefix.waits = false
      clearTimeout(timer)
    }
  }, [waits])
  const go = (path: string) => () => {
    if (!waits) return
    setWaits(false)
    void navigate(path)
  }
  const keys: [string, () => void][] = [
    ['g', () => setWaits(true)],
    ['h', go(paths.home())],
    ['c', go(paths.chat(kept))],
    ['t', go(paths.completion(kept))],
    ['w', go(paths.workflows(kept))],
    ['r', go(paths.runs(kept))],
    ['b', go(paths.compare(kept))],
    ['q', go(paths.batches(kept))],
    ['a', go(paths.annotations(kept))],
    ['d', go(paths.datasets(kept))],
    ['l', go(paths.ledger(kept))],
  ]
  useLetterKeys(keys, { second: true })
  return null
}
