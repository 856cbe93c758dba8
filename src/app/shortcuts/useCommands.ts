import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import {
  IconActivity,
  IconKeyboard,
  IconLink,
  IconMoon,
  IconPlayerPlay,
  IconSearch,
  IconServer,
  IconStack2,
} from '@tabler/icons-react'
import { useState } from 'react'
import type { KeyKind } from '#contract/endpoint.ts'
import { resourceEndpoints, idLookupEndpoints, type Resource } from '#contract/console/resources.ts'
import { runEndpoints } from '#contract/console/runEndpoints.ts'
import { accessEndpoints } from '#contract/console/access.ts'
import { chatEndpoints } from '#contract/platform/chat.ts'
import { getResourcePath, paths } from '#domain/paths.ts'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { call } from '../../client/http.ts'
import { useRead } from '../../client/query.ts'
import { useWorkspace } from '../../client/useWorkspace.ts'
import { findOfferedScreens, toScreenUrl } from '../navigation.ts'
import { shellMessages } from '../shell/messages.ts'
import { type Command, type CommandList, RESOURCE_ICONS, useIdCommands, useNavigateAndClose } from './useIdCommands.ts'
import { usePermission } from '../../client/usePermission.ts'

/** The commands for a text: the type of an id, or the resources and screens that match it. */
export function useCommands(text: string, onClose: () => void, onShortcuts: () => void): CommandList {
  const t = useMessages(shellMessages)
  const { places: staticCommands, said: notice } = useStaticCommands(onClose, onShortcuts)
  const idCommands = useIdCommands(text, onClose)
  const searchResults = useResourceSearch(idCommands ? null : text)
  const go = useNavigateAndClose(onClose)
  if (idCommands) return idCommands
  const runs = searchResults.runs.map((run): Command => {
    const label = t('openRun', { title: run.title || run.id.slice(0, 8) })
    const path = paths.run(run.id, { workspace: run.workspace })
    return { id: run.id, group: t('recent'), label, hint: run.status, icon: IconActivity, run: go(path) }
  })
  const resources = searchResults.things.flatMap((resource): Command[] => {
    const open = findOpener(resource)
    const kind = resource.kind.replace('_', ' ')
    const label = t('openResource', { kind, label: shorten(resource.label, text) ?? resource.id.slice(0, 8) })
    const icon = RESOURCE_ICONS[resource.kind] ?? IconStack2
    // Commands with the same name are distinguished by their ids.
    const isTwin = searchResults.things.some(
      ({ id, kind, label }) => id !== resource.id && kind === resource.kind && label === resource.label,
    )
    const hint = isTwin ? { hint: resource.id.slice(0, 8) } : {}
    return open ? [{ id: resource.kind + resource.id, group: t('recent'), label, ...hint, icon, run: open }] : []
  })
  const opened = [...resources, ...runs]
  const words = text.toLowerCase()
  const named = [...opened, ...staticCommands.filter((place) => toSearchText(place).includes(words))]
  const search = text ? [searchFor(text)] : []
  return {
    commands: [...named, ...search],
    note: notice ?? (named.length === 0 && searchResults.isRead ? t('noResults') : null),
    problem: searchResults.problem,
  }

  /** Opens a resource; the ledger names the dataset of a segment, whose own record has only the document. */
  function findOpener(resource: Resource): (() => void) | null {
    const path = findResourcePath(resource)
    if (path) return go(path)
    if (resource.kind !== 'segment' && resource.kind !== 'child_chunk') return null
    const { id, workspace } = resource
    return () =>
      void call(idLookupEndpoints.lookupId, { query: { id } }).then(
        ({ data }) => {
          const found = data.find((one) => one.workspace === workspace) ?? data[0]
          go(found ? getResourcePath(found) : paths.ledger({ workspace, resource: id }))()
        },
        () => go(paths.ledger({ workspace, resource: id }))(),
      )
  }

  function searchFor(q: string): Command {
    const label = t('searchWords', { words: q })
    const path = paths.ledger({ workspace: searchResults.workspace, q })
    return { id: 'search', group: t('search'), label, icon: IconSearch, run: go(path) }
  }
}

const MAX_LABEL_CHARS = 80
const CONTEXT_CHARS = 20

/** The part of a long name that holds the searched words. */
function shorten(label: string | null, words: string): string | null {
  if (label === null || label.length <= MAX_LABEL_CHARS) return label
  const at = label.toLowerCase().indexOf(words.toLowerCase())
  const from = words === '' || at < MAX_LABEL_CHARS - CONTEXT_CHARS ? 0 : at - CONTEXT_CHARS
  return `${from > 0 ? '… ' : ''}${label.slice(from, from + MAX_LABEL_CHARS)} …`
}

/** The searchable text of a screen: its name and its hint, for example the kind of an app. */
const toSearchText = ({ label, hint = '' }: Command): string => `${label} ${hint}`.toLowerCase()

/** The screen of a resource from the search, if its record is complete enough to open it. */
function findResourcePath({ kind, id, parent, workspace }: Resource): string | null {
  if (kind === 'dataset') return paths.dataset(id, { workspace })
  if (kind === 'document' && parent) return paths.document(parent, id, { workspace })
  if (kind === 'conversation') return paths.chat({ workspace, conversation: id, ...(parent ? { app: parent } : {}) })
  return null
}

/** Resources in the ledger that match the text; for an empty text the latest datasets, conversations and runs. */
function useResourceSearch(text: string | null) {
  const { workspace } = useWorkspace()
  const [searchText] = useDebouncedValue(text ?? '', 120)
  const currentWorkspace = { workspace: workspace?.id }
  const enabled = text !== null && Boolean(workspace)
  const isOpen = enabled && searchText === ''
  const { listResources } = resourceEndpoints
  const { listRuns } = runEndpoints
  const foundResources = useRead(
    listResources,
    { query: { ...currentWorkspace, limit: 8, q: searchText } },
    { enabled: enabled && !isOpen },
  )
  // Of their own, so that neither crowds out the other: a document has many segments.
  const foundDocuments = useRead(
    listResources,
    { query: { ...currentWorkspace, limit: 5, kind: 'document', q: searchText } },
    { enabled: enabled && !isOpen },
  )
  const foundSegments = useRead(
    listResources,
    { query: { ...currentWorkspace, limit: 5, kind: 'segment', q: searchText } },
    { enabled: enabled && !isOpen },
  )
  const datasets = useRead(
    listResources,
    { query: { ...currentWorkspace, limit: 4, kind: 'dataset' } },
    { enabled: isOpen },
  )
  const conversations = useRead(
    listResources,
    { query: { ...currentWorkspace, limit: 4, kind: 'conversation' } },
    { enabled: isOpen },
  )
  const runs = useRead(listRuns, { query: { ...currentWorkspace, limit: 4 } }, { enabled: isOpen })
  const read = isOpen ? datasets : foundResources
  // Placeholder data from an earlier search is not a result of this one.
  const isLoaded = read.isSuccess && !read.isPlaceholderData && searchText === text
  const resources = isOpen
    ? [...(datasets.data?.data ?? []), ...(conversations.data?.data ?? [])]
    : uniteResources(
        (foundResources.data?.data ?? []).filter(({ kind }) => kind !== 'segment'),
        foundDocuments.data?.data ?? [],
        foundSegments.data?.data ?? [],
      )
  return {
    isRead: isLoaded,
    workspace: workspace?.id,
    things: isLoaded ? resources : [],
    runs: isLoaded && isOpen ? (runs.data?.data ?? []) : [],
    problem: read.error?.problem ?? null,
  }
}

/** Each resource once, in the order of the lists. */
const uniteResources = (...lists: Resource[][]): Resource[] => [
  ...new Map(
    lists.flat().map((resource) => [`${resource.kind} ${resource.workspace} ${resource.id}`, resource]),
  ).values(),
]

/** The commands that are always available; `said` is the result of a command that leaves the palette open. */
function useStaticCommands(onClose: () => void, onShortcuts: () => void): { places: Command[]; said: string | null } {
  const t = useMessages(shellMessages)
  const { workspace, workspaces, select } = useWorkspace()
  const can = usePermission()
  const role = useRead(accessEndpoints.session, {}).data?.person.role
  const { setColorScheme } = useMantineColorScheme()
  const scheme = useComputedColorScheme('light')
  const go = useNavigateAndClose(onClose)
  const workspaceSearch = workspace ? { workspace: workspace.id } : {}
  const thenClose = (act: () => void) => () => {
    onClose()
    act()
  }
  const [notice, setNotice] = useState<string | null>(null)
  const copyLink = () => {
    const link = location.href
    // Browsers offer the clipboard only over TLS or on localhost.
    const copied = isSecureContext ? navigator.clipboard.writeText(link) : Promise.reject(new Error('no clipboard'))
    void copied.then(
      () => setNotice(t('linkCopied')),
      () => setNotice(t('linkNotCopied', { link })),
    )
  }
  const group = t('goTo')
  const commands: Command[] = [
    ...findOfferedScreens(role, workspace)
      .filter(({ isBlocked }) => !isBlocked)
      .map((screen): Command => {
        const { path, title, shortcut, icon } = screen
        const hint = shortcut ? { hint: `g ${shortcut}` } : {}
        return { id: path, group, label: title, ...hint, icon, run: go(toScreenUrl(screen, workspace)) }
      }),
    ...(workspace?.keys ?? []).flatMap((key): Command[] => {
      const to = APP_PATHS[key.kind]
      // People without permission to run it still find the screen under its own name.
      if (!to || !can(chatEndpoints.send)) return []
      const path = to({ ...workspaceSearch, app: key.id })
      return [
        {
          id: key.id,
          group: t('run'),
          label: t('runApp', { label: key.label }),
          hint: key.kind,
          icon: IconPlayerPlay,
          run: go(path),
        },
      ]
    }),
    { id: 'link', group, label: t('copyLink'), icon: IconLink, run: copyLink },
    {
      id: 'theme',
      group,
      label: t('theme'),
      icon: IconMoon,
      run: thenClose(() => setColorScheme(scheme === 'light' ? 'dark' : 'light')),
    },
    { id: 'keys', group, label: t('keys'), hint: '?', icon: IconKeyboard, run: onShortcuts },
    ...workspaces
      .filter(({ id }) => id !== workspace?.id)
      .map(({ id, name }): Command => {
        return { id, group: t('workspace'), label: name, icon: IconServer, run: thenClose(() => select(id)) }
      }),
  ]
  return { places: commands, said: notice }
}

/** The screen that runs an app, by the kind of its key. */
const APP_PATHS: Partial<Record<KeyKind, (search: { workspace?: string; app: string }) => string>> = {
  chat: paths.chat,
  completion: paths.completion,
  workflow: paths.workflows,
}
