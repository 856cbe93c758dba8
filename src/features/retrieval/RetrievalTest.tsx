import { Button, TextInput } from '@mantine/core'
import { useSessionStorage } from '@mantine/hooks'
import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import { useTranslations } from 'use-intl'
import { contract } from '#contract/index.ts'
import { paths } from '../../paths.ts'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { useWrite } from '../../wire/query.ts'
import type { Asked } from './questions.ts'
import { QuestionSets } from './QuestionSets.tsx'
import classes from './Retrieval.module.css'

export interface RetrievalTestProps {
  dataset_id: string
  keyId: string
  workspace: string
}

/** A question put to the dataset alone, the hits with their scores, and sets of questions with what should be found. */
export function RetrievalTest({ dataset_id, keyId, workspace }: RetrievalTestProps) {
  const t = useTranslations('retrieval')
  const [query, setQuery] = useSessionStorage({ key: `loupe.retrieval.${dataset_id}`, defaultValue: '' })
  const [wanted, setWanted] = useState<Asked | null>(null)
  const retrieve = useWrite(contract.adjacent.retrieve)
  const asked = retrieve.variables?.body.query ?? ''
  const records = retrieve.data?.records ?? []
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (query.trim() !== '') retrieve.mutate({ key: keyId, params: { dataset_id }, body: { query: query.trim() } })
  }
  return (
    <div className={classes.page}>
      <section className={classes.hits} aria-label={t('hits')}>
        <form onSubmit={submit} className={classes.form}>
          <TextInput
            label={t('query')}
            description={t('queryText')}
            value={query}
            maxLength={250}
            onChange={(event) => setQuery(event.currentTarget.value)}
          />
          <Button type="submit" loading={retrieve.isPending} disabled={query.trim() === ''}>
            {t('find')}
          </Button>
        </form>
        {retrieve.error ? <ProblemNote problem={retrieve.error.problem} what={t('findWhat')} /> : null}
        {retrieve.isSuccess && records.length === 0 ? <p role="status">{t('noHits')}</p> : null}
        <ol>
          {records.map(({ segment, score, child_chunks }, index) => {
            if (!segment) return null
            const document_id = segment.document_id ?? segment.document?.id ?? ''
            const best = child_chunks?.[0]?.id
            const child = best ? { child: best } : {}
            return (
              <li key={segment.id}>
                <header>
                  <b>{index + 1}</b>
                  <Link to={paths.document(dataset_id, document_id, { workspace, segment: segment.id, ...child })}>
                    {segment.position == null ? t('openUnnumbered') : t('open', { position: segment.position })}
                  </Link>
                  <span>{segment.document?.name ?? t('unnamed')}</span>
                  <span className={classes.score}>
                    {t('score')} <b>{score == null ? t('notGiven') : score.toFixed(3)}</b>
                  </span>
                </header>
                <p dir="auto">{segment.content}</p>
                {child_chunks?.map((one) => (
                  <p key={one.id} className={classes.child} dir="auto">
                    {t('child', { score: one.score?.toFixed(3) ?? t('notGiven'), content: one.content ?? '' })}
                  </p>
                ))}
                <Button
                  variant="default"
                  title={t('expectText')}
                  onClick={() =>
                    setWanted({
                      query: asked,
                      document_id,
                      segment_id: segment.id,
                      label: (segment.content ?? segment.id).slice(0, 60),
                      rank: index + 1,
                      before: null,
                    })
                  }
                >
                  {t('expect')}
                </Button>
              </li>
            )
          })}
        </ol>
      </section>
      <QuestionSets
        dataset_id={dataset_id}
        keyId={keyId}
        workspace={workspace}
        wanted={wanted}
        onTaken={() => setWanted(null)}
      />
    </div>
  )
}
