import {
  IconActivity,
  IconBook2,
  IconDownload,
  IconFileText,
  IconListSearch,
  IconMessage,
  IconStack2,
} from '@tabler/icons-react'
import { useLocation, useNavigate } from 'react-router'
import type { ComponentType } from 'react'
import { formatDate } from '#domain/dateFormat.ts'
import { Id } from '#contract/endpoint.ts'
import { type IdLookupResult, idLookupEndpoints, resourceEndpoints } from '#contract/console/resources.ts'
import { paths, getResourcePath } from '#domain/paths.ts'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { useRead, useWrite } from '../../client/query.ts'
import { useWorkspace } from '../../client/useWorkspace.ts'
import { shellMessages } from '../shell/messages.ts'
import { usePermission } from '../../client/usePermission.ts'
import type { Problem } from '#contract/problem.ts'

/** One row of the command palette. */
export interface Command {
  id: string
  group: string
  label: string
  hint?: string
  icon: ComponentType<{ size: number }>
  run: () => void
}

/** What the command palette shows for a text. */
export interface CommandList {
  commands: Command[]
  /** A note on the text: nothing was found, or the id is unknown here. */
  note: string | null
  problem: Problem | null
}

/** The likely kind of an unknown id, by the screen it is pasted on; by default a run. */
const LIKELY_GUESSES: readonly [path: string, id: string][] = [
  ['/chat', 'conversation'],
  ['/datasets', 'adopt'],
]

/** The likeliest first, the others in their order. */
export function sortByScreen<Guess extends { id: string }>(guesses: readonly Guess[], pathname: string): Guess[] {
  const likely = LIKELY_GUESSES.find(([path]) => pathname === path || pathname.startsWith(`${path}/`))?.[1] ?? 'run'
  return [...guesses.filter(({ id }) => id === likely), ...guesses.filter(({ id }) => id !== likely)]
}

export const RESOURCE_ICONS: Partial<Record<IdLookupResult['kind'], Command['icon']>> = {
  document: IconFileText,
  segment: IconFileText,
  conversation: IconMessage,
  message: IconMessage,
  run: IconActivity,
  workflow_run: IconActivity,
}

/** What an id refers to and where it opens; for an unknown id, the possible types. Null if the text is not an id. */
export function useIdCommands(text: string, onClose: () => void): CommandList | null {
  const t = useMessages(shellMessages)
  const { workspace } = useWorkspace()
  const isId = Id.safeParse(text).success
  const id = text.toLowerCase()
  const read = useRead(idLookupEndpoints.lookupId, { query: { id } }, { enabled: isId })
  const adopt = useWrite(resourceEndpoints.adoptResource)
  const can = usePermission()
  const go = useNavigateAndClose(onClose)
  const { pathname } = useLocation()
  if (!isId) return null
  const lookupResults = read.data?.data ?? []
  const group = t('looksLikeId')
  const opened = lookupResults.map((one): Command => {
    const label = t('openResource', { kind: one.kind.replace('_', ' '), label: one.label || one.id.slice(0, 8) })
    const icon = RESOURCE_ICONS[one.kind] ?? IconStack2
    return { id: one.kind + one.workspace, group, label, hint: seenWords(one), icon, run: go(getResourcePath(one)) }
  })
  const isUnknown = read.isSuccess && lookupResults.length === 0
  const workspaceSearch = workspace ? { workspace: workspace.id } : {}
  const guesses: Command[] =
    isUnknown && workspace
      ? [
          { id: 'run', group, label: t('askRun'), icon: IconActivity, run: go(paths.run(id, workspaceSearch)) },
          {
            id: 'conversation',
            group,
            label: t('openConversation'),
            icon: IconMessage,
            run: go(paths.chat({ ...workspaceSearch, conversation: id })),
          },
          ...(can(resourceEndpoints.adoptResource)
            ? [
                {
                  id: 'adopt',
                  group,
                  label: t('adoptDataset'),
                  hint: workspace.name,
                  icon: IconDownload,
                  run: () =>
                    adopt.mutate(
                      { body: { kind: 'dataset', id, workspace: workspace.id } },
                      { onSuccess: (resource) => go(paths.dataset(resource.id, workspaceSearch))() },
                    ),
                },
              ]
            : []),
          {
            id: 'takes',
            group,
            label: t('acceptingOperations'),
            icon: IconListSearch,
            run: go(paths.ledger({ ...workspaceSearch, q: id })),
          },
        ]
      : []
  const search: Command[] =
    opened.length > 0
      ? [
          {
            id: 'search',
            group,
            label: t('searchLedger'),
            icon: IconBook2,
            run: go(paths.ledger({ workspace: lookupResults[0]?.workspace, q: id })),
          },
        ]
      : []
  return {
    commands: [...opened, ...sortByScreen(guesses, pathname), ...search],
    note: isUnknown ? t('unknownId') : null,
    problem: adopt.error?.problem ?? read.error?.problem ?? null,
  }

  function seenWords({ first_seen, last_seen }: IdLookupResult): string {
    const day = (at: string | null) => (at ? formatDate(at) : '–')
    return t('seenBetween', { first: day(first_seen), last: day(last_seen) })
  }
}

/** Navigates to a path and closes the current dialog. */
export function useNavigateAndClose(onClose: () => void) {
  const navigate = useNavigate()
  return (path: string) => () => {
    onClose()
    void navigate(path)
  }
}
