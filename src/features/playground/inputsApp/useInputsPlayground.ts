import { useEffect, useRef } from 'react'
import type { Key, Workspace } from '#contract/console/consoleEndpoints.ts'
import { contract } from '#contract/index.ts'
import { RUN_ENTRIES, type InputsEntryName } from '../../runs/runEntries.ts'
import { startRun as startRunOnVersion } from '../../runs/startRun.ts'
import { usePinnedVersion } from '../../runs/version/usePinnedVersion.ts'
import { toFileEntries } from '../../runs/inputs/inputFiles.ts'
import { toExtraValues, toInputFields, toFormValues } from '../../runs/inputs/inputFields.ts'
import { INSPECTOR_TABS } from '../../runs/inspector/inspectorTabs.ts'
import type { TurnQuestion } from '../../runs/turn.ts'
import { useInspectorPane } from '../../runs/inspector/useInspectorPane.ts'
import { useTurn } from '../../runs/useTurn.ts'
import { useShortcuts } from '../../../components/hooks/useShortcuts.ts'
import { useSearchParamState } from '../../../components/hooks/useSearchParamState.ts'
import { useRead } from '../../../client/query.ts'
import { runStore } from '../../../client/useRun.ts'
import { type InputsDraft, isDraftEmpty, useInputsDraft } from './inputsDraft.ts'
import type { AppRunRequest } from './InputsPane.tsx'
import { toInputSet } from './inputSet.ts'
import { useInputSets } from './useInputSets.ts'
import { usePermission } from '../../../client/usePermission.ts'

export type InputsPlaygroundState = ReturnType<typeof useInputsPlayground>

/** The state and actions of the playground of an app with inputs: the form, the run in the URL, the inspector. */
export function useInputsPlayground(entry: InputsEntryName, workspace: Workspace, app: Key) {
  const { get, set } = useSearchParamState()
  const session = useRead(contract.console.session, {})
  const parameters = useRead(contract.workflows.parameters, { key: app.id })
  const [storedDraft, setStoredDraft] = useInputsDraft(app.id)
  const inputSets = useInputSets(workspace.id, app.id)
  // A link to saved inputs fills only an empty form.
  const chosenInputs = inputSets.selected && isDraftEmpty(storedDraft) ? toInputSet(inputSets.selected.value) : null
  const draft = { ...storedDraft, ...chosenInputs }
  const setDraft = (change: Partial<InputsDraft>) => setStoredDraft({ ...chosenInputs, ...change })
  const pane = useInspectorPane(entry)
  const run_id = get('run') ?? null
  const turnRead = useTurn(run_id)
  const tab = INSPECTOR_TABS.find((one) => one === get('tab')) ?? INSPECTOR_TABS[0]
  const sourceParam = Number(get('source') ?? NaN)
  const source = Number.isInteger(sourceParam) ? sourceParam : null
  const canRun = usePermission()(RUN_ENTRIES[entry])
  const showsHistory = !canRun || get('pane') === 'history'

  const output = useRef<HTMLElement>(null)
  const version = usePinnedVersion(app)
  const startRun = (body: AppRunRequest, parent: string | null, workflow_id = version.workflow_id) => {
    const id = startRunOnVersion(entry, { key: app.id, body: { ...body }, parent, workflow_id })
    set({ run: id, source: null, node: null })
  }
  const isSent = run_id !== null && runStore.view(run_id)?.sent !== null
  useEffect(() => {
    // In one column the output is below the form.
    if (pane.isNarrow && isSent) output.current?.scrollIntoView({ block: 'start' })
  }, [pane.isNarrow, isSent, run_id])
  const resend = ({ body, inputs, user, response_mode, pinned_workflow_id }: TurnQuestion) =>
    startRun({ ...body, inputs, user, response_mode }, run_id, pinned_workflow_id)
  const edit = ({ inputs, user, response_mode, body }: TurnQuestion) => {
    const controls = toInputFields(parameters.data)
    const filled = { ...toFormValues(controls, inputs), ...toExtraValues(controls, inputs) }
    const parent = run_id ? { run_id, filled } : null
    setDraft({ filled, user, response_mode, files: body.files ? toFileEntries(body.files) : [], parent })
    set({ pane: null })
  }
  const openInspector = (change: Parameters<typeof set>[0]) => {
    // The tabs of the run share their place with a selected node.
    set({ node: null, ...change }, { replace: true })
    pane.open()
  }
  useShortcuts([
    [']', pane.toggle],
    ...INSPECTOR_TABS.map((one, index): [string, () => void] => [String(index + 1), () => openInspector({ tab: one })]),
  ])
  return {
    session,
    parameters,
    inputSets,
    draft,
    setDraft,
    pane,
    run_id,
    turnRead,
    tab,
    source,
    canRun,
    version,
    showsHistory,
    setSearchParams: set,
    outputRef: output,
    startRun,
    resend,
    edit,
    openInspector,
  }
}
