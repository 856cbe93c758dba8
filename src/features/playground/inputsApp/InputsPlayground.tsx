import { ActionIcon, Button } from '@mantine/core'
import { IconLayoutSidebarRight } from '@tabler/icons-react'
import { Link, useNavigate } from 'react-router'
import { savedItemEndpoints } from '#contract/console/savedItems.ts'
import { batchEndpoints } from '#contract/console/batches.ts'
import type { Key, Workspace } from '#contract/console/workspaces.ts'
import { paths } from '#domain/paths.ts'
import type { InputsEntryName } from '../../runs/runEntries.ts'
import { RunInspector } from '../../runs/inspector/RunInspector.tsx'
import { InspectorBar } from '../../runs/inspector/InspectorBar.tsx'
import { InspectorPane } from '../../runs/inspector/InspectorPane.tsx'
import { isTurnOver } from '../../runs/turn.ts'
import { IdChip } from '../../../components/data/IdChip.tsx'
import { Page } from '../../../components/layout/Page.tsx'
import { Tooltip } from '../../../components/overlays/Tooltip.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { inputsPlaygroundMessages } from './messages.ts'
import classes from './InputsPlayground.module.css'
import { usePermission } from '../../../client/usePermission.ts'
import { InputsOutput } from './InputsOutput.tsx'
import { InputsSide } from './InputsSide.tsx'
import { type InputsPlaygroundState, useInputsPlayground } from './useInputsPlayground.ts'

export interface InputsPlaygroundProps {
  entry: InputsEntryName
  /** The title of the screen, and the text before there is an output. */
  title: string
  emptyText: string
  workspace: Workspace
  app: Key
  apps: readonly Key[]
  /** The URL of an app's playground, optionally with a saved input set. */
  getPath: (app: string, set?: string) => string
}

/** The playground of an app with inputs: form or history, the output of one run, the inspector. */
export function InputsPlayground({ entry, title, emptyText, workspace, app, apps, getPath }: InputsPlaygroundProps) {
  const playground = useInputsPlayground(entry, workspace, app)
  const { pane, run_id, tab, source, setSearchParams } = playground
  const { turn, run } = playground.turnRead
  return (
    <div className={classes.playground}>
      <div className={classes.main}>
        <Page
          title={title}
          titleSuffix={<AppSelect app={app} apps={apps} getPath={getPath} />}
          actions={<InputsPlaygroundActions workspace={workspace} app={app} playground={playground} />}
        >
          <title>{`${title} · ${app.label} · Loupe`}</title>
          <div className={classes.desk}>
            <InputsSide entry={entry} workspace={workspace} app={app} getPath={getPath} playground={playground} />
            <InputsOutput entry={entry} emptyText={emptyText} workspace={workspace} app={app} playground={playground} />
            {!pane.fitsBeside && turn ? <InspectorBar turn={turn} onOpen={pane.open} /> : null}
          </div>
        </Page>
      </div>
      <InspectorPane name={entry} pane={pane}>
        <RunInspector
          run_id={run_id}
          run={run}
          workspace={workspace.id}
          tab={tab}
          source={source}
          onTab={(one) => setSearchParams({ tab: one }, { replace: true })}
          onClose={pane.toggle}
        />
      </InspectorPane>
    </div>
  )
}

function AppSelect({ app, apps, getPath }: Pick<InputsPlaygroundProps, 'app' | 'apps' | 'getPath'>) {
  const t = useMessages(inputsPlaygroundMessages)
  const navigate = useNavigate()
  return apps.length > 1 ? (
    <select
      className={classes.app}
      aria-label={t('app')}
      value={app.id}
      onChange={(event) => void navigate(getPath(event.currentTarget.value))}
    >
      {apps.map(({ id, label }) => (
        <option key={id} value={id}>
          {label}
        </option>
      ))}
    </select>
  ) : (
    <span className={classes.label}>{app.label}</span>
  )
}

interface InputsPlaygroundActionsProps {
  workspace: Workspace
  app: Key
  playground: InputsPlaygroundState
}

function InputsPlaygroundActions({ workspace, app, playground }: InputsPlaygroundActionsProps) {
  const t = useMessages(inputsPlaygroundMessages)
  const can = usePermission()
  const { pane, run_id } = playground
  const { turn, run } = playground.turnRead
  return (
    <>
      {can(savedItemEndpoints.createSavedItem) ? (
        <Button
          variant="default"
          component={Link}
          to={paths.compare({
            workspace: workspace.id,
            with: app.id,
            run: run && turn && isTurnOver(turn) ? run.id : null,
          })}
        >
          {t('compare')}
        </Button>
      ) : null}
      {can(batchEndpoints.createBatch) ? (
        <Button variant="default" component={Link} to={paths.newBatch({ workspace: workspace.id, app: app.id })}>
          {t('batch')}
        </Button>
      ) : null}
      {run_id ? (
        <>
          <span className={classes.id}>
            <IdChip id={run_id} />
          </span>
          <Button variant="default" component={Link} to={paths.run(run_id, { workspace: workspace.id })}>
            {t('openRun')}
          </Button>
        </>
      ) : null}
      {pane.fitsBeside && !pane.isOpen ? (
        <Tooltip label={t('openInspector')}>
          <ActionIcon aria-label={t('openInspector')} onClick={pane.open}>
            <IconLayoutSidebarRight size={17} />
          </ActionIcon>
        </Tooltip>
      ) : null}
    </>
  )
}
