import { useTranslations } from 'use-intl'
import { Empty } from '../../ui/Empty.tsx'
import { Page } from '../../ui/Page.tsx'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { SkeletonRows } from '../../ui/SkeletonRows.tsx'
import { useWorkspace } from '../../wire/useWorkspace.ts'
import classes from './Playground.module.css'
import { Playground } from './Playground.tsx'

/** `/completion`: the playground of the completion app in the URL, or why there is none. */
export function CompletionPage() {
  const t = useTranslations('completion')
  const { workspace, keyOf, keysOf, isLoading, problem, retry } = useWorkspace()
  const app = keyOf('completion')
  if (workspace && app) return <Playground key={app.id} workspace={workspace} app={app} apps={keysOf('completion')} />
  return (
    <Page title={t('title')}>
      <div className={classes.alone}>
        {isLoading ? <SkeletonRows rows={5} height={72} /> : null}
        {problem ? <ProblemNote problem={problem} what={t('listWorkspaces')} onRetry={retry} /> : null}
        {!isLoading && !problem ? (
          <Empty title={t(workspace ? 'noKey' : 'noWorkspace')}>
            {workspace ? t('noKeyWhy', { workspace: workspace.name }) : t('noWorkspaceWhy')}
          </Empty>
        ) : null}
      </div>
    </Page>
  )
}
