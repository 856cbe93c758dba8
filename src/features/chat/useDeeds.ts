import { useCallback, useMemo } from 'react'
import type { Key } from '#contract/console.ts'
import { contract } from '#contract/index.ts'
import { entriesOf, sentFile } from '../../run/files.ts'
import type { Question } from '../../run/turn.ts'
import { runs } from '../../wire/useRun.ts'
import type { Asked } from './Composer.tsx'
import type { DraftChange } from './draft.ts'
import { type Go, type Place, placeNow } from './place.ts'
import { choose, conversationOf } from './transcript.ts'
import type { Deeds } from './TurnView.tsx'

export interface DeedsParts {
  app: Key
  place: Place
  go: Go
  changeDraft: (change: DraftChange) => void
  /** Puts a question where the next one is written. */
  suggest: (query: string) => void
  openInspector: () => void
  /** The conversation of the run in the URL, though that may not have got its name yet. */
  found: string | null
  /** Told when a question gives the URL the name of its conversation. */
  onNamed: (conversation: string) => void
}

/** What a person does with the conversation in the URL: asking, asking again, choosing what is looked at. */
export function useDeeds(parts: DeedsParts) {
  const { app, place, go, changeDraft, suggest, openInspector, found, onNamed } = parts
  const { branches: chosen, run: focus } = place

  const ask = useCallback(
    (asked: Asked, parent: string | null = null) => {
      // What waits is asked the moment the answer above has ended, before anything is drawn again.
      const now = placeNow()
      const view = now.run === null ? null : runs.view(now.run)
      const conversation = now.conversation ?? (view && conversationOf(view)) ?? (now.run === focus ? found : null)
      if (conversation !== null && now.conversation === null) onNamed(conversation)
      const body = { ...asked, ...(conversation ? { conversation_id: conversation } : {}) }
      const run_id = runs.begin(contract.chat.send, { key: app.id, body, parent })
      // The newest branch of a turn is shown where no other one is chosen.
      const branches = now.branches.filter((one) => one !== parent)
      go({ run: run_id, conversation, source: null, branches }, { replace: conversation !== null })
    },
    [app.id, focus, found, onNamed, go],
  )

  const deeds = useMemo<Deeds>(
    () => ({
      onAgain: (run_id, question, query = question.query) => {
        ask(askedOf(question, query), run_id)
        changeDraft({ edit: null })
      },
      onGiveUp: (run_id, question) => {
        runs.forget(run_id)
        changeDraft({ query: question.query, files: entriesOf(question.body.files) })
        go({ run: null }, { replace: true })
      },
      onBranch: (branches, run_id) => {
        go({ run: run_id, source: null, branches: choose(chosen, branches, run_id) }, { replace: true })
      },
      onInspect: (run_id) => {
        go({ run: run_id, source: null }, { replace: true })
        openInspector()
      },
      onSource: (run_id, position) => {
        go({ run: run_id, tab: 'sources', source: position }, { replace: true })
        openInspector()
      },
      onEdit: (edit) => changeDraft({ edit }),
      onSuggestion: suggest,
    }),
    [ask, changeDraft, suggest, chosen, go, openInspector],
  )
  return { ask, deeds }
}

/** A question as it was, in the words it is to have now. */
function askedOf(question: Question, query: string): Asked {
  const { inputs, user, response_mode, body } = question
  const files = entriesOf(body.files).map(sentFile)
  return {
    query,
    inputs,
    user,
    response_mode,
    ...(files.length > 0 ? { files } : {}),
    ...(typeof body.auto_generate_name === 'boolean' ? { auto_generate_name: body.auto_generate_name } : {}),
  }
}
