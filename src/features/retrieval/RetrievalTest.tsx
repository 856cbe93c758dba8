import { Button, TextInput } from '@mantine/core'
import { useSessionStorage } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { ProblemError } from '#contract/problem.ts'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { useWords } from '../../ui/words.ts'
import type { Find, Found } from './finding.ts'
import { FoundSegment } from './FoundSegment.tsx'
import { retrievalWords } from './messages.ts'
import type { Asked } from './questions.ts'
import { QuestionSets } from './QuestionSets.tsx'
import classes from './Retrieval.module.css'

export interface RetrievalTestProps {
  dataset_id: string
  find: Find
  /** What has to be filled in before anything can be asked. */
  lacks: readonly string[]
  workspace: string
}

/** A question, the hits with their scores, and sets of questions with what should be found. */
export function RetrievalTest({ dataset_id, find, lacks, workspace }: RetrievalTestProps) {
  const t = useWords(retrievalWords)
  const [query, setQuery] = useSessionStorage({ key: `loupe.retrieval.${dataset_id}`, defaultValue: '' })
  const [wanted, setWanted] = useState<Asked | null>(null)
  const search = useMutation<Found[], ProblemError, string>({ mutationFn: find })
  const asked = search.variables ?? ''
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (query.trim() !== '' && lacks.length === 0) search.mutate(query.trim())
  }
  return (
    <div className={classes.page}>
      <section className={classes.hits} aria-label={t('hits')}>
        <form onSubmit={submit} className={classes.form}>
          <TextInput
            label={t('query')}
            description={t('queryText')}
            inputWrapperOrder={['label', 'input', 'description']}
            value={query}
            maxLength={250}
            onChange={(event) => setQuery(event.currentTarget.value)}
          />
          <Button type="submit" loading={search.isPending} disabled={query.trim() === '' || lacks.length > 0}>
            {t('find')}
          </Button>
        </form>
        {lacks.length > 0 ? (
          <p className={classes.lacks} role="status">
            {t('lacks', { names: lacks.join(', ') })}
          </p>
        ) : null}
        {search.error ? <ProblemNote problem={search.error.problem} what={t('findWhat')} /> : null}
        {search.data?.length === 0 ? <p role="status">{t('noHits')}</p> : null}
        <ol>
          {search.data?.map((found, index) => (
            <FoundSegment
              key={found.segment_id}
              found={found}
              rank={index + 1}
              dataset_id={dataset_id}
              workspace={workspace}
              onExpect={(expected) => setWanted({ ...expected, query: asked, rank: index + 1, before: null })}
            />
          ))}
        </ol>
      </section>
      <QuestionSets
        dataset_id={dataset_id}
        find={find}
        canAsk={lacks.length === 0}
        workspace={workspace}
        wanted={wanted}
        onTaken={() => setWanted(null)}
      />
    </div>
  )
}
