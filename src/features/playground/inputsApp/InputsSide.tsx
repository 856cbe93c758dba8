import { Box, Button, SegmentedControl } from '@mantine/core'
import { useLocation } from 'react-router'
import { getRequiredAccess } from '#contract/permissions.ts'
import type { Key, Workspace } from '#contract/console/workspaces.ts'
import { RUN_ENTRIES, type InputsEntryName } from '../../runs/runEntries.ts'
import { AppHistory } from '../history/AppHistory.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { InputSetsBar } from './InputSetsBar.tsx'
import { InputsPane } from './InputsPane.tsx'
import { inputsPlaygroundMessages } from './messages.ts'
import classes from './Inputs.module.css'
import { SkeletonRows } from '../../../components/layout/SkeletonRows.tsx'
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
  const { session, run_id, canRun, showsHistory, setSearchParams } = playground
  return (
    <div className={classes.left}>
      <Box flex="none" px="lg" pt="sm" pb={4}>
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
      </Box>
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
            to.delete('frame')
            return `?${to.toString()}`
          }}
        />
      ) : (
        <>
          {playground.canFoldForm ? (
            <Button
              variant="default"
              flex="none"
              mx="lg"
              mt={4}
              mb="md"
              aria-expanded={playground.isFormOpen}
              onClick={playground.toggleForm}
            >
              {t(playground.isFormOpen ? 'hideInputs' : 'showInputs')}
            </Button>
          ) : null}
          {playground.isFormOpen ? (
            <InputsFormSide entry={entry} workspace={workspace} app={app} getPath={getPath} playground={playground} />
          ) : null}
        </>
      )}
    </div>
  )
}

/** The form with its saved inputs. */
function InputsFormSide({ entry, workspace, app, getPath, playground }: InputsSideProps) {
  const { turn } = playground.turnRead
  const { session, parameters, inputSets, draft, setDraft, form } = playground
  return (
    <>
      {form.hasRun ? <FormChoice form={form} /> : null}
      <InputSetsBar
        workspace={workspace.id}
        app={app.id}
        inputSets={inputSets}
        current={{ filled: draft.filled, files: draft.files }}
        onUse={setDraft}
        getLink={(id) => new URL(getPath(app.id, id), location.href).href}
      />
      {form.isLoading ? (
        <SkeletonRows rows={4} height={56} />
      ) : (
        <InputsPane
          key={form.shown}
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
          refusedRun={turn?.state === 'refused' ? { run_id: turn.run_id, message: turn.problem?.message ?? '' } : null}
          onRun={playground.startFormRun}
          version={playground.version}
        />
      )}
    </>
  )
}

/** Whether the form has the inputs of the run that is shown, or the draft. */
function FormChoice({ form }: { form: InputsPlaygroundState['form'] }) {
  const t = useMessages(inputsPlaygroundMessages)
  return (
    <Box flex="none" px="lg" pt="sm" pb={4}>
      <SegmentedControl
        size="xs"
        fullWidth
        aria-label={t('formOf')}
        value={form.shown}
        onChange={(value) => form.set(value === 'run' ? 'run' : 'draft')}
        data={[
          { value: 'run', label: t('formOfRun') },
          { value: 'draft', label: t('formOfDraft') },
        ]}
      />
    </Box>
  )
}
