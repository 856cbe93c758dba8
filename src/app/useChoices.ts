import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import {
  IconActivity,
  IconBook2,
  IconBookmark,
  IconColumns3,
  IconCursorText,
  IconHome,
  IconGitCompare,
  IconKeyboard,
  IconLink,
  IconMessage,
  IconMoon,
  IconPlayerPlay,
  IconScissors,
  IconSearch,
  IconServer,
  IconSitemap,
  IconStack2,
  IconTable,
} from '@tabler/icons-react'
import { type ComponentType, useState } from 'react'
import type { Thing } from '#contract/console.ts'
import type { KeyKind } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'
import type { Problem } from '#contract/problem.ts'
import { paths } from '../paths.ts'
import { useWords } from '../ui/words.ts'
import { useRead } from '../wire/query.ts'
import { useWorkspace } from '../wire/useWorkspace.ts'
import { shellWords } from './messages.ts'
import { useGo } from './useGo.ts'
import { ICONS, useIdChoices } from './useIdChoices.ts'
import { useMay } from '../wire/useMay.ts'

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
  const { places, said } = usePlaces(onClose, onKeys)
  const identity = useIdChoices(text, onClose)
  const seen = useSeen(identity ? null : text)
  const go = useGo(onClose)
  if (identity) return identity
  const runs = seen.runs.map((run): Choice => {
    const label = t('openRun', { title: run.title || run.id.slice(0, 8) })
    const path = paths.run(run.id, { workspace: run.workspace })
    return { id: run.id, group: t('recent'), label, hint: run.status, icon: IconActivity, act: go(path) }
  })
  const things = seen.things.flatMap((thing): Choice[] => {
    const path = pathOf(thing)
    const label = t('openThing', { kind: thing.kind.replace('_', ' '), label: thing.label ?? thing.id.slice(0, 8) })
    return path
      ? [{ id: thing.kind + thing.id, group: t('recent'), label, icon: ICONS[thing.kind] ?? IconStack2, act: go(path) }]
      : []
  })
  const opened = [...things, ...runs]
  const words = text.toLowerCase()
  const named = [...opened, ...places.filter((place) => wordsOf(place).includes(words))]
  const search = text ? [searchFor(text)] : []
  return {
    choices: [...named, ...search],
    note: said ?? (named.length === 0 && seen.isRead ? t('nothing') : null),
    problem: seen.problem,
  }

  function searchFor(q: string): Choice {
    const label = t('searchWords', { words: q })
    const path = paths.ledger({ workspace: seen.workspace, q })
    return { id: 'search', group: t('search'), label, icon: IconSearch, act: go(path) }
  }
}

/** What a place is found by: its name, and what stands beside it, as the kind of an app. */
const wordsOf = ({ label, hint = '' }: Choice): string => `${label} ${hint}`.toLowerCase()

/** The screen of a thing that words have found, if its own record says enough to open it. */
function pathOf({ kind, id, parent, workspace }: Thing): string | null {
  if (kind === 'dataset') return paths.dataset(id, { workspace })
  if (kind === 'document' && parent) return paths.document(parent, id, { workspace })
  if (kind === 'conversation') return paths.chat({ workspace, conversation: id, ...(parent ? { app: parent } : {}) })
  return null
}

/** What the ledger knows under these words; without words the datasets, conversations and runs that were seen last. */
function useSeen(text: string | null) {
  const { workspace } = useWorkspace()
  const [sought] = useDebouncedValue(text ?? '', 120)
  const here = { workspace: workspace?.id }
  const enabled = text !== null && Boolean(workspace)
  const isOpen = enabled && sought === ''
  const { listThings, listRuns } = contract.console
  const found = useRead(listThings, { query: { ...here, limit: 8, q: sought } }, { enabled: enabled && !isOpen })
  const datasets = useRead(listThings, { query: { ...here, limit: 4, kind: 'dataset' } }, { enabled: isOpen })
  const talks = useRead(listThings, { query: { ...here, limit: 4, kind: 'conversation' } }, { enabled: isOpen })
  const runs = useRead(listRuns, { query: { ...here, limit: 4 } }, { enabled: isOpen })
  const read = isOpen ? datasets : found
  // What is still shown of an earlier search is no answer to this one.
  const isRead = read.isSuccess && !read.isPlaceholderData && sought === text
  const things = isOpen ? [...(datasets.data?.data ?? []), ...(talks.data?.data ?? [])] : (found.data?.data ?? [])
  return {
    isRead,
    workspace: workspace?.id,
    things: isRead ? things : [],
    runs: isRead && isOpen ? (runs.data?.data ?? []) : [],
    problem: read.error?.problem ?? null,
  }
}

/** Where one can always go and what one can always do; `said` is what came of a deed that leaves the palette open. */
function usePlaces(onClose: () => void, onKeys: () => void): { places: Choice[]; said: string | null } {
  const t = useWords(shellWords)
  const { workspace, workspaces, select } = useWorkspace()
  const may = useMay()
  const { setColorScheme } = useMantineColorScheme()
  const scheme = useComputedColorScheme('light')
  const go = useGo(onClose)
  const kept = workspace ? { workspace: workspace.id } : {}
  const closing = (act: () => void) => () => {
    onClose()
    act()
  }
  const [said, say] = useState<string | null>(null)
  const copyLink = () => {
    const link = location.href
    // Off the loopback and without TLS a browser has no clipboard.
    const copied = isSecureContext ? navigator.clipboard.writeText(link) : Promise.reject(new Error('no clipboard'))
    void copied.then(
      () => say(t('linkCopied')),
      () => say(t('linkNotCopied', { link })),
    )
  }
  const group = t('goTo')
  const places: Choice[] = [
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
    { id: 'drift', group, label: t('drift'), icon: IconGitCompare, act: go(paths.drift(kept)) },
    ...(workspace?.keys ?? []).flatMap((key): Choice[] => {
      const to = APPS[key.kind]
      // For those who may not run it, its screen is under its own name.
      if (!to || !may(contract.chat.send)) return []
      const path = to({ ...kept, app: key.id })
      return [
        {
          id: key.id,
          group: t('run'),
          label: t('runApp', { label: key.label }),
          hint: key.kind,
          icon: IconPlayerPlay,
          act: go(path),
        },
      ]
    }),
    { id: 'link', group, label: t('copyLink'), icon: IconLink, act: copyLink },
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
  return { places, said }
}

/** Where an app is run, by the kind of its key. */
const APPS: Partial<Record<KeyKind, (search: { workspace?: string; app: string }) => string>> = {
  chat: paths.chat,
  completion: paths.completion,
  workflow: paths.workflows,
}
