import { useEffect, useRef, useState } from 'react'
import { accessEndpoints } from '#contract/console/access.ts'
import { appParameterEndpoints, type AppParameters } from '#contract/platform/appParameters.ts'
import type { Key, Workspace } from '#contract/console/workspaces.ts'
import { type InputsEntryName, RUN_ENTRIES } from '../../runs/runEntries.ts'
import { startRun as startRunOnVersion } from '../../runs/startRun.ts'
import { usePinnedVersion } from '../../runs/version/usePinnedVersion.ts'
import { toFileEntries, type FileEntry, type toFileInput } from '../../runs/inputs/inputFiles.ts'
import { toExtraValues, toInputFields, toFormValues, type FormValues } from '../../runs/inputs/inputFields.ts'
import { INSPECTOR_TABS, parseInspectorTab } from '../../runs/inspector/inspectorTabs.ts'
import type { TurnQuestion } from '../../runs/turn.ts'
import { useInspectorPane } from '../../runs/inspector/InspectorPane.tsx'
import { useTurn } from '../../runs/useTurn.ts'
import { useShortcuts } from '../../../components/hooks/useShortcuts.ts'
import { useSearchParamState } from '../../../components/hooks/useSearchParamState.ts'
import { useRead } from '../../../client/query.ts'
import { preloadRunStream, runStore } from '../../../client/useRun.ts'
import { toInputSet, useInputSets } from './inputSets.ts'
import { usePermission } from '../../../client/usePermission.ts'
import { useSessionStorage } from '@mantine/hooks'

/** The body of operations 10 and 11, which are identical. */
export interface AppRunRequest {
  inputs: Record<string, unknown>
  user: string
  response_mode: 'streaming' | 'blocking'
  files?: ReturnType<typeof toFileInput>[]
}

export type InputsPlaygroundState = ReturnType<typeof useInputsPlayground>

/** The state and actions of the playground of an app with inputs: the form, the run in the URL, the inspector. */
export function useInputsPlayground(entry: InputsEntryName, workspace: Workspace, app: Key) {
  const { get, set } = useSearchParamState()
  useEffect(preloadRunStream, [])
  const session = useRead(accessEndpoints.session, {})
  const parameters = useRead(appParameterEndpoints.parameters, { key: app.id })
  const [storedDraft, setStoredDraft] = useInputsDraft(app.id)
  const inputSets = useInputSets(workspace.id, app.id)
  // A link to saved inputs fills only an empty form.
  const chosenInputs = inputSets.selected && isDraftEmpty(storedDraft) ? toInputSet(inputSets.selected.value) : null
  const ownDraft = { ...storedDraft, ...chosenInputs }
  const setOwnDraft = (change: Partial<InputsDraft>) => setStoredDraft({ ...chosenInputs, ...change })
  const pane = useInspectorPane(entry)
  const run_id = get('run') ?? null
  const turnRead = useTurn(run_id)
  const { turn } = turnRead
  const sourceParam = Number(get('source') ?? NaN)
  const source = Number.isInteger(sourceParam) ? sourceParam : null
  const canRun = usePermission()(RUN_ENTRIES[entry])
  const showsHistory = !canRun || get('pane') === 'history'

  // On a phone the form is folded once a run is shown.
  const [isFormOpen, setFormOpen] = useState(false)
  const output = useRef<HTMLElement>(null)
  const version = usePinnedVersion(app)
  // The form has the inputs of the run that is shown, and edits of them. The draft is the second choice; it is the first
  // one for a run that was started from it.
  const [draftOf, setDraftOf] = useState<string | null>(null)
  const [runEdits, setRunEdits] = useRunInputsEdits(app.id)
  const runDraft = run_id !== null && turn ? toRunDraft(run_id, turn.question, parameters.data) : null
  const shownRunDraft = runEdits && runEdits.run_id === run_id ? runEdits.draft : runDraft
  const isRunLoading = run_id !== null && turn === null && turnRead.isLoading
  const form: 'run' | 'draft' = canRun && draftOf !== run_id && (shownRunDraft || isRunLoading) ? 'run' : 'draft'
  const draft = form === 'run' && shownRunDraft ? shownRunDraft : ownDraft
  const setDraft = (change: Partial<InputsDraft>) => {
    if (form === 'run' && shownRunDraft && run_id) setRunEdits({ run_id, draft: { ...shownRunDraft, ...change } })
    else setOwnDraft(change)
  }
  const setForm = (next: 'run' | 'draft') => setDraftOf(next === 'draft' ? run_id : null)
  const startRun = (body: AppRunRequest, parent: string | null, workflow_id = version.workflow_id) => {
    const id = startRunOnVersion(entry, { key: app.id, body: { ...body }, parent, workflow_id })
    if (form === 'draft') setDraftOf(id)
    setFormOpen(false)
    set({ run: id, source: null, node: null, frame: null })
  }
  /** From now on the new run has the edited inputs, and the earlier one its own. */
  const startFormRun = (body: AppRunRequest, parent: string | null) => {
    if (form === 'run' && runEdits?.run_id === run_id) setRunEdits(null)
    startRun(body, parent)
  }
  const isSent = run_id !== null && runStore.view(run_id)?.sent !== null
  useEffect(() => {
    // In one column the output is below the form.
    if (pane.isNarrow && isSent) output.current?.scrollIntoView({ block: 'start' })
  }, [pane.isNarrow, isSent, run_id])
  const resend = ({ body, inputs, user, response_mode, pinned_workflow_id }: TurnQuestion) =>
    startRun({ ...body, inputs, user, response_mode }, run_id, pinned_workflow_id)
  const edit = () => {
    setForm('run')
    setFormOpen(true)
    set({ pane: null })
  }
  /** A run that was not sent is removed from the URL; the form keeps its content. */
  const editUnsent = (unsent: string) => {
    const parent = runStore.view(unsent)?.sent?.parent ?? null
    runStore.remove(unsent)
    if (form === 'draft' || !shownRunDraft) return set({ run: null, frame: null })
    if (parent === null) setStoredDraft({ ...shownRunDraft, parent: null })
    else if (runEdits?.run_id !== parent) setRunEdits({ run_id: parent, draft: shownRunDraft })
    setForm('run')
    set({ run: parent, frame: null })
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
    form: { shown: form, set: setForm, isLoading: form === 'run' && isRunLoading, hasRun: shownRunDraft !== null },
    isFormOpen: !pane.isNarrow || run_id === null || isFormOpen,
    canFoldForm: pane.isNarrow && run_id !== null,
    toggleForm: () => setFormOpen(!isFormOpen),
    pane,
    run_id,
    turnRead,
    tab: parseInspectorTab(get('tab')),
    source,
    canRun,
    version,
    showsHistory,
    setSearchParams: set,
    outputRef: output,
    startFormRun,
    resend,
    edit,
    editUnsent,
    openInspector,
  }
}

/** The form of a run: its inputs, from which the next run is made. */
function toRunDraft(
  run_id: string,
  { inputs, user, response_mode, body }: TurnQuestion,
  parameters: AppParameters | undefined,
): InputsDraft {
  const fields = toInputFields(parameters)
  const filled = { ...toFormValues(fields, inputs), ...toExtraValues(fields, inputs) }
  const files = body.files ? toFileEntries(body.files) : []
  return { filled, user, response_mode, files, parent: { run_id, filled } }
}

/** The unsent content of the form. */
export interface InputsDraft {
  filled: FormValues
  files: FileEntry[]
  /** Null for the person's default user. */
  user: string | null
  response_mode: 'streaming' | 'blocking'
  /** The run whose inputs were copied, and those inputs. */
  parent: { run_id: string; filled: FormValues } | null
}

const emptyDraft: InputsDraft = { filled: {}, files: [], user: null, response_mode: 'streaming', parent: null }

/** True if the form contains nothing that a person would miss. */
const isDraftEmpty = ({ filled, files, parent }: InputsDraft): boolean =>
  Object.keys(filled).length === 0 && files.length === 0 && parent === null

/** The inputs of a run as they were edited for the next one, stored until the browser tab closes. */
const useRunInputsEdits = (app: string) =>
  useSessionStorage<{ run_id: string; draft: InputsDraft } | null>({
    key: `loupe-run-edits:${app}`,
    defaultValue: null,
    getInitialValueInEffect: false,
  })

/** The draft of an app, stored until the browser tab closes. */
function useInputsDraft(app: string): [InputsDraft, (change: Partial<InputsDraft>) => void] {
  const [draft, setDraft] = useSessionStorage<InputsDraft>({
    key: `loupe-draft:${app}`,
    defaultValue: emptyDraft,
    getInitialValueInEffect: false,
  })
  return [draft, (change) => setDraft((before) => ({ ...before, ...change }))]
}
