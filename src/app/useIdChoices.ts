import {
  IconActivity,
  IconBook2,
  IconDownload,
  IconFileText,
  IconListSearch,
  IconMessage,
  IconStack2,
} from '@tabler/icons-react'
import { Id } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'
import type { Sighting } from '#contract/things.ts'
import { paths, pathOfThing } from '../paths.ts'
import { useWords } from '../ui/words.ts'
import { useRead, useWrite } from '../wire/query.ts'
import { useWorkspace } from '../wire/useWorkspace.ts'
import { shellWords } from './messages.ts'
import type { Choice, Choices } from './useChoices.ts'
import { useGo } from './useGo.ts'
import { useMay } from '../wire/useMay.ts'

export const ICONS: Partial<Record<Sighting['kind'], Choice['icon']>> = {
  document: IconFileText,
  segment: IconFileText,
  conversation: IconMessage,
  message: IconMessage,
  run: IconActivity,
  workflow_run: IconActivity,
}

/** What an id is and where it opens; for one that nobody here has seen, what it could be. Null where the text is no id. */
export function useIdChoices(text: string, onClose: () => void): Choices | null {
  const t = useWords(shellWords)
  const { workspace } = useWorkspace()
  const isId = Id.safeParse(text).success
  const id = text.toLowerCase()
  const read = useRead(contract.console.identify, { query: { id } }, { enabled: isId })
  const adopt = useWrite(contract.console.adoptThing)
  const may = useMay()
  const go = useGo(onClose)
  if (!isId) return null
  const isRead = read.isSuccess && !read.isPlaceholderData
  const sightings = isRead ? read.data.data : []
  const group = t('looksLikeId')
  const opened = sightings.map((one): Choice => {
    const label = t('openThing', { kind: one.kind.replace('_', ' '), label: one.label || one.id.slice(0, 8) })
    const icon = ICONS[one.kind] ?? IconStack2
    return { id: one.kind + one.workspace, group, label, hint: seenWords(one), icon, act: go(pathOfThing(one)) }
  })
  const isUnseen = isRead && sightings.length === 0
  const kept = workspace ? { workspace: workspace.id } : {}
  const guesses: Choice[] =
    isUnseen && workspace
      ? [
          ...(may(contract.console.adoptThing)
            ? [
                {
                  id: 'adopt',
                  group,
                  label: t('adoptDataset'),
                  hint: workspace.name,
                  icon: IconDownload,
                  act: () =>
                    adopt.mutate(
                      { body: { kind: 'dataset', id, workspace: workspace.id } },
                      { onSuccess: (thing) => go(paths.dataset(thing.id, kept))() },
                    ),
                },
              ]
            : []),
          { id: 'run', group, label: t('askRun'), icon: IconActivity, act: go(paths.run(id, kept)) },
          {
            id: 'conversation',
            group,
            label: t('openConversation'),
            icon: IconMessage,
            act: go(paths.chat({ ...kept, conversation: id })),
          },
          { id: 'takes', group, label: t('takesId'), icon: IconListSearch, act: go(paths.ledger({ ...kept, q: id })) },
        ]
      : []
  const search: Choice[] =
    opened.length > 0
      ? [
          {
            id: 'search',
            group,
            label: t('searchLedger'),
            icon: IconBook2,
            act: go(paths.ledger({ workspace: sightings[0]?.workspace, q: id })),
          },
        ]
      : []
  return {
    choices: [...opened, ...guesses, ...search],
    note: isUnseen ? t('unknownId') : null,
    problem: adopt.error?.problem ?? read.error?.problem ?? null,
  }

  function seenWords({ first_seen, last_seen }: Sighting): string {
    const day = (at: string | null) => (at ? new Date(at).toLocaleDateString(undefined, { dateStyle: 'medium' }) : '–')
    return t('seenBetween', { first: day(first_seen), last: day(last_seen) })
  }
}
