import { NativeSelect } from '@mantine/core'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { NoApp } from '../../run/playground/NoApp.tsx'
import { Page } from '../../ui/Page.tsx'
import { useListState } from '../../ui/useListState.ts'
import { useWords } from '../../ui/words.ts'
import { useWorkspace } from '../../wire/useWorkspace.ts'
import { batchesWords } from './messages.ts'
import { NewBatch } from './NewBatch.tsx'
import { contract } from '#contract/index.ts'
import { May } from '../../wire/May.tsx'
import { RoleNote } from '../../ui/RoleNote.tsx'

/** `/batches/new?app=`: a batch in the making for a completion or a workflow. */
export function NewBatchPage() {
  const t = useWords(batchesWords)
  const here = useWorkspace()
  const { get, set } = useListState()
  const { workspace } = here
  const apps = [...here.keysOf('completion'), ...here.keysOf('workflow')]
  const app = apps.find(({ id }) => id === get('app')) ?? apps[0]
  if (!workspace || !app)
    return (
      <NoApp
        title={t('new')}
        here={here}
        listing={t('listWorkspaces')}
        missing={t(workspace ? 'noApp' : 'noWorkspace')}
        why={workspace ? t('noAppWhy', { workspace: workspace.name }) : t('noWorkspaceWhy')}
      />
    )
  return (
    <Page
      title={t('new')}
      crumbs={
        <>
          <Link to={paths.batches({ workspace: workspace.id })}>{t('title')}</Link>
          <span>/</span>
        </>
      }
      beside={
        <NativeSelect
          aria-label={t('app')}
          value={app.id}
          data={apps.map(({ id, label }) => ({ value: id, label }))}
          onChange={(event) => set({ app: event.currentTarget.value }, { replace: true })}
        />
      }
    >
      <title>{`${t('new')} · Loupe`}</title>
      <May entry={contract.console.createBatch} otherwise={<RoleNote entry={contract.console.createBatch} />}>
        <NewBatch key={app.id} workspace={workspace} app={app} />
      </May>
    </Page>
  )
}
