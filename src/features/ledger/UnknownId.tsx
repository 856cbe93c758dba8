import { Button, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { type Endpoint, paramNames } from '#contract/endpoint.ts'
import { platformEntries } from '#contract/entries.ts'
import { contract } from '#contract/index.ts'
import { paths } from '../../paths.ts'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { useWords } from '../../ui/words.ts'
import { useRead, useWrite } from '../../wire/query.ts'
import { useWorkspace } from '../../wire/useWorkspace.ts'
import classes from './Ledger.module.css'
import { ledgerWords } from './messages.ts'
import { May } from '../../wire/May.tsx'

/** Under each kind of id the operations that take it, by the last name in their path. */
const TAKERS = Map.groupBy(
  [...platformEntries].filter(([, entry]) => paramNames(entry.path).some((name) => name.endsWith('_id'))),
  ([, entry]: [string, Endpoint]) => paramNames(entry.path).findLast((name) => name.endsWith('_id')) ?? '',
)

/** An id that nobody here has seen: what it could be, with the operations that take such an id, and what can be tried. */
export function UnknownId({ id }: { id: string }) {
  const t = useWords(ledgerWords)
  const navigate = useNavigate()
  const { workspace } = useWorkspace()
  const adopt = useWrite(contract.console.adoptThing)
  const seen = useRead(
    contract.console.listThings,
    { query: { kind: 'dataset', workspace: workspace?.id, limit: 100 } },
    { enabled: Boolean(workspace) },
  )
  const datasets = seen.data?.data ?? []
  const [chosen, choose] = useState('')
  const dataset = chosen || datasets[0]?.id
  if (!workspace) return null
  const home = workspace.id
  const open = () =>
    adopt.mutate(
      { body: { kind: 'dataset', id, workspace: home } },
      { onSuccess: () => void navigate(paths.dataset(id, { workspace: home })) },
    )
  const ways: Record<string, React.ReactNode> = {
    dataset_id: (
      <May entry={contract.console.adoptThing}>
        <Button size="compact-xs" variant="default" loading={adopt.isPending} onClick={open}>
          {t('adoptDataset')}
        </Button>
      </May>
    ),
    document_id: dataset ? (
      <>
        <NativeSelect
          aria-label={t('inDataset')}
          value={dataset}
          onChange={(event) => choose(event.currentTarget.value)}
          data={datasets.map((one) => ({ value: one.id, label: one.label ?? one.id.slice(0, 8) }))}
        />
        <Button
          size="compact-xs"
          variant="default"
          component={Link}
          to={paths.document(dataset, id, { workspace: home })}
        >
          {t('open')}
        </Button>
      </>
    ) : null,
    workflow_run_id: (
      <Button size="compact-xs" variant="default" component={Link} to={paths.run(id, { workspace: home })}>
        {t('askRun')}
      </Button>
    ),
    conversation_id: (
      <Button
        size="compact-xs"
        variant="default"
        component={Link}
        to={paths.chat({ workspace: home, conversation: id })}
      >
        {t('openChat')}
      </Button>
    ),
  }
  return (
    <section className={classes.identity} aria-label={t('identity')}>
      <p>{t('unknownId')}</p>
      {adopt.error ? <ProblemNote problem={adopt.error.problem} what={t('adoptWhat')} onRetry={open} /> : null}
      <details open>
        <summary>{t('takers')}</summary>
        <ul>
          {[...TAKERS].map(([name, entries]) => (
            <li key={name}>
              <code>{name}</code>
              <small>{entries.map(([entry]) => entry).join(', ')}</small>
              {ways[name]}
            </li>
          ))}
        </ul>
      </details>
    </section>
  )
}
