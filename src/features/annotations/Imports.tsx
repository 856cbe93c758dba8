import type { ReactNode } from 'react'
import { contract } from '#contract/index.ts'
import classes from '../../run/table/Make.module.css'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { Since } from '../../ui/Since.tsx'
import { StateBadge } from '../../ui/StateBadge.tsx'
import { useWords } from '../../ui/words.ts'
import { useRead } from '../../wire/query.ts'
import own from './Annotations.module.css'
import { annotationsWords } from './messages.ts'

export interface ImportsProps {
  workspace: string
  app: string
  linkOf: (batch_id: string, label: string) => ReactNode
}

/** What was imported into an app before, newest first. */
export function Imports({ workspace, app, linkOf }: ImportsProps) {
  const t = useWords(annotationsWords)
  const { data, error, refetch } = useRead(contract.console.listBatches, {
    query: { workspace, key: app, kind: 'annotations', limit: 20 },
  })
  if (error) return <ProblemNote problem={error.problem} what={t('importsWhat')} onRetry={() => void refetch()} />
  if (data?.total === 0) return <p className={classes.why}>{t('importsNone')}</p>
  return (
    <ul className={own.imports}>
      {data?.data.map(({ id, name, state, counts, total, created_at }) => (
        <li key={id}>
          <StateBadge word={state} plain />
          {linkOf(id, name)}
          <span>{t('rowsDone', { done: total - counts.waiting - counts.running, total })}</span>
          <Since at={created_at} />
        </li>
      ))}
    </ul>
  )
}
