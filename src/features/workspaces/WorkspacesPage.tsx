import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { contract } from '#contract/index.ts'
import { Empty } from '../../ui/Empty.tsx'
import { Page } from '../../ui/Page.tsx'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { SkeletonRows } from '../../ui/SkeletonRows.tsx'
import { useWords } from '../../ui/words.ts'
import { useRead } from '../../wire/query.ts'
import { AddPlatform } from './AddPlatform.tsx'
import { MasterKey } from './MasterKey.tsx'
import { workspacesWords } from './messages.ts'
import { WorkspaceCard } from './WorkspaceCard.tsx'
import classes from './Workspaces.module.css'
import { useMay } from '../../wire/useMay.ts'

/** Milliseconds between looks: a key that starts to be refused shows by itself. */
const POLL = 5_000

/** `/workspaces`: the platforms, their keys and how each is taken, and how a platform is spoken to. */
export function WorkspacesPage() {
  const t = useWords(workspacesWords)
  const { data, error, refetch } = useRead(contract.console.listWorkspaces, {}, { poll: POLL })
  const isAdmin = useMay()(contract.console.createWorkspace)
  const [adding, setAdding] = useState(false)
  const add = (
    <Button leftSection={<IconPlus size={14} />} onClick={() => setAdding(true)}>
      {t('add')}
    </Button>
  )
  return (
    <Page title={t('title')} actions={isAdmin ? add : null}>
      <title>{`${t('title')} · Loupe`}</title>
      <div className={classes.page}>
        {error ? <ProblemNote problem={error.problem} what={t('list')} onRetry={() => void refetch()} /> : null}
        {!data && !error ? <SkeletonRows rows={3} height={120} /> : null}
        {data?.data.length === 0 ? (
          <Empty title={t('emptyTitle')} actions={isAdmin ? add : null}>
            {t('emptyText')}
          </Empty>
        ) : null}
        {data?.data.map((workspace) => (
          <WorkspaceCard key={workspace.id} workspace={workspace} isAdmin={isAdmin} />
        ))}
        {data && !isAdmin ? <p className={classes.note}>{t('adminOnly')}</p> : null}
        {data && isAdmin ? <MasterKey from={data.master} /> : null}
      </div>
      {adding ? <AddPlatform onClose={() => setAdding(false)} /> : null}
    </Page>
  )
}
