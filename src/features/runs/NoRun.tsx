import { Button } from '@mantine/core'
import { Link, Navigate } from 'react-router'
import { Id } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'
import { paths } from '../../paths.ts'
import { AdoptRun } from '../../run/AdoptRun.tsx'
import { Empty } from '../../ui/Empty.tsx'
import { Page } from '../../ui/Page.tsx'
import { useWords } from '../../ui/words.ts'
import { useRead } from '../../wire/query.ts'
import { useWorkspace } from '../../wire/useWorkspace.ts'
import { runsWords } from './messages.ts'
import classes from './Run.module.css'
import { useMay } from '../../wire/useMay.ts'

/** In place of a run that the console does not have under this id: it may be the platform's, which is known or can be asked for. */
export function NoRun({ run_id }: { run_id: string }) {
  const t = useWords(runsWords)
  const { workspace, keysOf } = useWorkspace()
  const may = useMay()(contract.console.adoptRun)
  const isId = Id.safeParse(run_id).success
  const named = useRead(contract.console.listRuns, { query: { names: run_id, limit: 1 } }, { enabled: isId })
  const run = named.data?.data[0]
  if (run) return <Navigate to={paths.run(run.id, { workspace: run.workspace })} replace />
  const apps = keysOf('workflow')
  const canAsk = may && isId && apps.length > 0
  return (
    <Page title={t('title')} crumbs={<Link to={paths.runs()}>{t('title')}</Link>}>
      <Empty
        title={t('noSuchRun', { id: run_id.slice(0, 80) })}
        actions={
          <Button component={Link} to={paths.runs()} variant={isId && apps.length > 0 ? 'default' : 'filled'}>
            {t('toRuns')}
          </Button>
        }
      >
        {t('noSuchRunText')} {canAsk ? t('noSuchRunAsk') : null}
      </Empty>
      {canAsk && workspace ? (
        <div className={classes.adopt}>
          <AdoptRun apps={apps} workspace={workspace.id} initial={run_id} />
        </div>
      ) : null}
    </Page>
  )
}
