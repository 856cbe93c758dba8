import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import {
  IconActivity,
  IconColumns3,
  IconCursorText,
  IconDownload,
  IconFileText,
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
import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import type { Thing } from '#contract/console.ts'
import { Id } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'
import type { Problem } from '#contract/problem.ts'
import { paths } from '../paths.ts'
import { useRead, useWrite } from '../wire/query.ts'
import { useWorkspace } from '../wire/useWorkspace.ts'

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

/** What the palette offers for a text: the things it names, then the places it names. */
export function useChoices(text: string, onClose: () => void, onKeys: () => void): Choices {
  const t = useTranslations('shell')
  const places = usePlaces(onClose, onKeys)
  const seen = useSeen(text)
  const adoption = useAdoption(onClose)
  const go = useGo(onClose)
  const opened = seen.things.flatMap((thing): Choice[] => {
    const path = pathOf(thing, seen.document)
    const label = t('openThing', { kind: thing.kind.replace('_', ' '), label: thing.label ?? thing.id.slice(0, 8) })
    const group = seen.isId ? t('looksLikeId') : t('recent')
    return path
      ? [{ id: thing.kind + thing.id, group, label, icon: ICONS[thing.kind] ?? IconStack2, act: go(path) }]
      : []
  })
  const isUnseen = seen.isId && seen.isRead && seen.things.length === 0
  const words = text.toLowerCase()
  const choices = seen.isId
    ? [...opened, ...(isUnseen ? adoption.choices(text) : [])]
    : [...opened, ...places.filter(({ label }) => label.toLowerCase().includes(words))]
  const hasNoScreen = seen.isId && seen.isRead && seen.things.length > 0 && opened.length === 0
  const kind = seen.things[0]?.kind.replace('_', ' ') ?? ''
  const note = isUnseen
    ? t('unknownId')
    : hasNoScreen
      ? t('noScreen', { kind })
      : choices.length === 0 && seen.isRead
        ? t('nothing')
        : null
  return { choices, note, problem: adoption.problem ?? seen.problem }
}

const ICONS: Partial<Record<Thing['kind'], Choice['icon']>> = {
  document: IconFileText,
  segment: IconFileText,
  conversation: IconMessage,
}

/** The screen of a thing, if it has one. A segment's is its document's; `document` is that one, where it is known. */
function pathOf({ kind, id, parent, workspace }: Thing, document: Thing | undefined): string | null {
  if (kind === 'dataset') return paths.dataset(id, { workspace })
  if (kind === 'document' && parent) return paths.document(parent, id, { workspace })
  if (kind === 'segment' && document?.id === parent && document.parent)
    return paths.document(document.parent, document.id, { workspace, segment: id })
  if (kind === 'conversation') return paths.chat({ workspace, conversation: id, ...(parent ? { app: parent } : {}) })
  return null
}

/** What the ledger knows under these words, or under this id; without words the datasets that were seen last. */
function useSeen(text: string) {
  const { workspace } = useWorkspace()
  const [sought] = useDebouncedValue(text, 120)
  const isId = Id.safeParse(text).success
  const here = { workspace: workspace?.id, limit: 8 }
  const query = isId
    ? { id: text.toLowerCase(), limit: 10 }
    : sought === ''
      ? { ...here, kind: 'dataset' as const }
      : { ...here, q: sought }
  const read = useRead(contract.console.listThings, { query }, { enabled: isId || Boolean(workspace) })
  // What is still shown of an earlier search is no answer to this one.
  const isRead = read.isSuccess && !read.isPlaceholderData && (isId || sought === text)
  const things = isRead ? read.data.data : []
  const segment = isId ? things.find(({ kind }) => kind === 'segment') : undefined
  const holder = useRead(
    contract.console.listThings,
    { query: { kind: 'document', id: segment?.parent ?? undefined, workspace: segment?.workspace, limit: 1 } },
    { enabled: Boolean(segment?.parent) },
  )
  const isWhole = isRead && !(segment?.parent && (holder.isPending || holder.isPlaceholderData))
  return {
    isId,
    isRead: isWhole,
    things,
    document: holder.data?.data[0],
    problem: read.error?.problem ?? null,
  }
}

function useAdoption(onClose: () => void) {
  const t = useTranslations('shell')
  const { workspace } = useWorkspace()
  const adopt = useWrite(contract.console.adoptThing)
  const go = useGo(onClose)
  const choices = (id: string): Choice[] =>
    workspace
      ? [
          {
            id: 'adopt',
            group: t('looksLikeId'),
            label: t('adoptDataset'),
            hint: workspace.name,
            icon: IconDownload,
            act: () =>
              adopt.mutate(
                { body: { kind: 'dataset', id: id.toLowerCase(), workspace: workspace.id } },
                { onSuccess: (thing) => go(paths.dataset(thing.id, { workspace: workspace.id }))() },
              ),
          },
        ]
      : []
  return { choices, problem: adopt.error?.problem ?? null }
}

/** Where one can always go. */
function usePlaces(onClose: () => void, onKeys: () => void): Choice[] {
  const t = useTranslations('shell')
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

function useGo(onClose: () => void) {
  const navigate = useNavigate()
  return (path: string) => () => {
    onClose()
    void navigate(path)
  }
}
