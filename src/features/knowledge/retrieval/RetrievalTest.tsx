import { Button, TextInput } from '@mantine/core'
import { useSessionStorage } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { ProblemError } from '#contract/problem.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { useOptionLabel } from '../../../components/forms/FieldLabel.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import type { SearchFunction, SearchOutcome } from './retrievalSearch.ts'
import { NoHits, type SearchedDataset } from './NoHits.tsx'
import { SearchHit } from './SearchHit.tsx'
import { retrievalMessages } from './messages.ts'
import type { QuestionSetItem } from './questionSet.ts'
import { QuestionSets } from './QuestionSets.tsx'
import classes from './Retrieval.module.css'

export interface RetrievalTestProps {
  dataset_id: string
  search: SearchFunction
  /** What has to be filled in before anything can be asked. */
  missingFields: readonly string[]
  workspace: string
  /** The dataset that is searched itself; null where an app is asked. */
  searched: SearchedDataset | null
}

/** A question, the hits with their scores, and sets of questions with what should be found. */
export function RetrievalTest({ dataset_id, search: find, missingFields, workspace, searched }: RetrievalTestProps) {
  const t = useMessages(retrievalMessages)
  const toOptionLabel = useOptionLabel()
  const [query, setQuery] = useSessionStorage({ key: `loupe.retrieval.${dataset_id}`, defaultValue: '' })
  const [pendingItem, setPendingItem] = useState<QuestionSetItem | null>(null)
  const search = useMutation<SearchOutcome, ProblemError, string>({ mutationFn: find })
  const searchMutation = search.variables ?? ''
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (query.trim() !== '' && missingFields.length === 0) search.mutate(query.trim())
  }
  return (
    <div className={classes.page}>
      <section className={classes.hits} aria-label={t('hits')}>
        <form onSubmit={submit} className={classes.form}>
          <TextInput
            label={t('question')}
            description={t('queryText')}
            inputWrapperOrder={['label', 'input', 'description']}
            value={query}
            maxLength={250}
            onChange={(event) => setQuery(event.currentTarget.value)}
          />
          <Button type="submit" loading={search.isPending} disabled={query.trim() === '' || missingFields.length > 0}>
            {t('find')}
          </Button>
        </form>
        {missingFields.length > 0 ? (
          <p className={classes.lacks} role="status">
            {t('missingInputs', { names: missingFields.join(', ') })}
          </p>
        ) : null}
        {search.error ? <ProblemAlert problem={search.error.problem} action={t('findWhat')} /> : null}
        {search.data?.fallback ? (
          <p className={classes.lacks} role="status">
            {t(`fallback.${toFallbackReason(search.data.fallback.reason)}`, {
              method: toOptionLabel(search.data.fallback.requested_method),
            })}
          </p>
        ) : null}
        {search.data?.hits.length === 0 ? <NoHits dataset_id={dataset_id} searched={searched} /> : null}
        <ol>
          {search.data?.hits.map((hit, index) => (
            <SearchHit
              key={hit.segment_id}
              hit={hit}
              rank={index + 1}
              dataset_id={dataset_id}
              workspace={workspace}
              onExpect={(expected) =>
                setPendingItem({ ...expected, query: searchMutation, rank: index + 1, before: null })
              }
            />
          ))}
        </ol>
      </section>
      <QuestionSets
        dataset_id={dataset_id}
        search={find}
        canSearch={missingFields.length === 0}
        workspace={workspace}
        pendingItem={pendingItem}
        onItemAdded={() => setPendingItem(null)}
      />
    </div>
  )
}

const FALLBACK_REASONS = ['no_embedding_model', 'economy_dataset', 'embedding_failed'] as const
const toFallbackReason = (reason: string) => FALLBACK_REASONS.find((known) => known === reason) ?? 'other'
