import { SegmentedControl } from '@mantine/core'
import { useLocation } from 'react-router'
import type { Key, Workspace } from '#contract/console/consoleEndpoints.ts'
import { getRequiredAccess } from '#contract/permissions.ts'
import { RUN_ENTRIES, type InputsEntryName } from '../../runs/runEntries.ts'
import { AppHistory } from '../history/AppHistory.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { InputSetsBar } from './InputSetsBar.tsx'
import { InputsPane } from './InputsPane.tsx'
import { inputsPlaygroundMessages } from './messages.ts'
import classes from './InputsPlayground.module.css'
import { PermissionNote } from '../../../components/layout/PermissionNote.tsx'
import type { InputsPlaygroundState } from './useInputsPlayground.ts'

export interface InputsSideProps {
  entry: InputsEntryName
  workspace: Workspace
  app: Key
  getPath: (app: string, set?: string) => string
  playground: InputsPlaygroundState
}

/** The left pane: the form with its saved inputs, or the history. */
export function InputsSide({ entry, workspace, app, getPath, playground }: InputsSideProps) {
  const t = useMessages(inputsPlaygroundMessages)
  const { search } = useLocation()
  const { turn } = playground.turnRead
  const { session, parameters, inputSets, draft, setDraft, run_id, canRun, showsHistory, setSearchParams, startRun } =
    playground
  return (
    <div className={classes.left}>
      <div className={classes.choice}>
        {canRun ? (
          <SegmentedControl
            size="xs"
            fullWidth
            aria-label={t('pane')}
            value={showsHistory ? 'history' : 'inputs'}
            onChange={(value) => setSearchParams({ pane: value === 'history' ? value : null }, { replace: true })}
            data={[
              { value: 'inputs', label: t('inputs') },
              { value: 'history', label: t('history') },
            ]}
          />
        ) : session.data ? (
          <PermissionNote {...getRequiredAccess(RUN_ENTRIES[entry])} />
        ) : null}
      </div>
      {showsHistory ? (
        <AppHistory
          entry={entry}
          workspace={workspace.id}
          app={app}
          selected={run_id}
          getLink={(id) => {
            const to = new URLSearchParams(search)
            to.set('run', id)
            to.delete('source')
            to.delete('node')
            return `?${to.toString()}`
          }}
        />
      ) : (
        <>
          <InputSetsBar
            workspace={workspace.id}
            app={app.id}
            inputSets={inputSets}
            current={{ filled: draft.filled, files: draft.files }}
            onUse={setDraft}
            getLink={(id) => new URL(getPath(app.id, id), location.href).href}
          />
          <InputsPane
            entry={entry}
            app={app}
            parameters={parameters.data}
            refusal={
              parameters.error && !parameters.data
                ? { reason: parameters.error.problem.message, retry: () => void parameters.refetch() }
                : null
            }
            draft={draft}
            onDraft={setDraft}
            defaultUser={session.data?.person.default_user ?? ''}
            refusedRun={
              turn?.state === 'refused' ? { run_id: turn.run_id, message: turn.problem?.message ?? '' } : null
            }
            onRun={startRun}
            version={playground.version}
          />
        </>
      )}
    </div>
  )
}
