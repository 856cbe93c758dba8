import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import {
  IconActivity,
  IconBook2,
  IconBookmark,
  IconColumns3,
  IconCursorText,
  IconHome,
  IconKeyboard,
  IconMessage,
  IconMoon,
  IconScissors,
  IconServer,
  IconSitemap,
  IconStack2,
  IconTable,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'
import type { Thing } from '#contract/console.ts'
import { contract } from '#contract/index.ts'
import type { Problem } from '#contract/problem.ts'
import { paths } from '../paths.ts'
import { useWords } from '../ui/words.ts'
import { useRead } from '../wire/query.ts'
import { useWorkspace } from '../wire/useWorkspace.ts'
import { shellWords } from './messages.ts'
import { useGo } from './useGo.ts'
import { ICONS, useIdChoices } from './useIdChoices.ts'

export interface Choice {
  id: string
  group: string
  label: string
  hint?: string
  icon: ComponentType<{ size: number }>
  act: () => void
}

export interface Choices {
  choices: Choice[]
  /** What is to be said about the text: nothing found, an id that nobody here has seen. */
  note: string | null
  problem: Problem | null
}

/** What the palette offers for a text: what an id is, or the things and places that words name. */
export function useChoices(text: string, onClose: () => void, onKeys: () => void): Choices {
  const t = useWords(shellWords)
  const places = usePlaces(onClose, onKeys)
  const identity = useIdChoices(text, onClose)
  const seen = useSeen(identity ? null : text)
  const go = useGo(onClose)
  if (identity) return identity
  const opened = seen.things.flatMap((thing): Choice[] => {
    const path = pathOf(thing)
    const label = t('openThing', { kind: thing.kind.replace('_', ' '), label: thing.label ?? thing.id.slice(0, 8) })
    return path
      ? [{ id: thing.kind + thing.id, group: t('recent'), label, icon: ICONS[thing.kind] ?? IconStack2, act: go(path) }]
      : []
  })
  const words = text.toLowerCase()
  const choices = [...opened, ...places.filter(({ label }) => label.toLowerCase().includes(words))]
  return { choices, note: choices.length === 0 && seen.isRead ? t('nothing') : null, problem: seen.problem }
}

/** The screen of a thing that words have found, if its own record says enough to open it. */
function pathOf({ kind, id, parent, workspace }: Thing): string | null {
  if (kind === 'dataset') return paths.dataset(id, { workspace })
  if (kind === 'document' && parent) return paths.document(parent, id, { workspace })
  if (kind === 'conversation') return paths.chat({ workspace, conversation: id, ...(parent ? { app: parent } : {}) })
  return null
}

/** What the ledger knows under these words; without words the datasets that were seen last. */
function useSeen(text: string | null) {
  const { workspace } = useWorkspace()
  const [sought] = useDebouncedValue(text ?? '', 120)
  const here = { workspace: workspace?.id, limit: 8 }
  const query = sought === '' ? { ...here, kind: 'dataset' as const } : { ...here, q: sought }
  const enabled = text !== null && Boolean(workspace)
  const read = useRead(contract.console.listThings, { query }, { enabled })
  // What is still shown of an earlier search is no answer to this one.
  const isRead = read.isSuccess && !read.isPlaceholderData && sought === text
  return { isRead, things: isRead ? read.data.data : [], problem: read.error?.problem ?? null }
}

/** Where one can always go. */
function usePlaces(onClose: () => void, onKeys: () => void): Choice[] {
  const t = useWords(shellWords)
  const { workspace, workspaces, select } = useWorkspace()
  const { setColorScheme } = useMantineColorScheme()
  const scheme = useComputedColorScheme('light')
  const go = useGo(onClose)
  const kept = workspace ? { workspace: workspace.id } : {}
  const closing = (act: () => void) => () => {
    onClose()
    act()
  }
  const group = t('goTo')
  return [
    { id: 'home', group, label: t('home'), hint: 'g h', icon: IconHome, act: go(paths.home()) },
    { id: 'chat', group, label: t('chat'), hint: 'g c', icon: IconMessage, act: go(paths.chat(kept)) },
    {
      id: 'completion',
      group,
      label: t('completion'),
      hint: 'g t',
      icon: IconCursorText,
      act: go(paths.completion(kept)),
    },
    {
      id: 'workflows',
      group,
      label: t('workflows'),
      hint: 'g w',
      icon: IconSitemap,
      act: go(paths.workflows(kept)),
    },
    { id: 'runs', group, label: t('runs'), hint: 'g r', icon: IconActivity, act: go(paths.runs(kept)) },
    { id: 'compare', group, label: t('compare'), hint: 'g b', icon: IconColumns3, act: go(paths.compare(kept)) },
    { id: 'batches', group, label: t('batches'), hint: 'g q', icon: IconTable, act: go(paths.batches(kept)) },
    { id: 'ledger', group, label: t('ledger'), hint: 'g l', icon: IconBook2, act: go(paths.ledger(kept)) },
    {
      id: 'annotations',
      group,
      label: t('annotations'),
      hint: 'g a',
      icon: IconBookmark,
      act: go(paths.annotations(kept)),
    },
    { id: 'datasets', group, label: t('datasets'), hint: 'g d', icon: IconStack2, act: go(paths.datasets(kept)) },
    { id: 'lab', group, label: t('lab'), icon: IconScissors, act: go(paths.lab(kept)) },
    {
      id: 'theme',
      group,
      label: t('theme'),
      icon: IconMoon,
      act: closing(() => setColorScheme(scheme === 'light' ? 'dark' : 'light')),
    },
    { id: 'keys', group, label: t('keys'), hint: '?', icon: IconKeyboard, act: onKeys },
    ...workspaces
      .filter(({ id }) => id !== workspace?.id)
      .map(({ id, name }): Choice => {
        return { id, group: t('workspace'), label: name, icon: IconServer, act: closing(() => select(id)) }
      }),
  ]
}
