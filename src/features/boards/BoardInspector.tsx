import { useMediaQuery } from '@mantine/hooks'
import { RunInspector } from '../runs/inspector/RunInspector.tsx'
import { InspectorPane } from '../runs/inspector/InspectorPane.tsx'
import { INSPECTOR_TABS, parseInspectorTab } from '../runs/inspector/inspectorTabs.ts'
import { useTurn } from '../runs/useTurn.ts'
import { useShortcuts } from '../../components/hooks/useShortcuts.ts'
import { useSearchParamState } from '../../components/hooks/useSearchParamState.ts'

const READ_WIDTH_IMMEDIATELY = { getInitialValueInEffect: false }

/** The inspector of the run in the URL (`?run=`); nothing while none is looked at. */
export function BoardInspector({ workspace }: { workspace: string }) {
  const { get } = useSearchParamState()
  const run_id = get('run')
  return run_id === undefined ? null : <BoardInspectorPane run_id={run_id} workspace={workspace} />
}

function BoardInspectorPane({ run_id, workspace }: { run_id: string; workspace: string }) {
  const { get, set } = useSearchParamState()
  const { run } = useTurn(run_id)
  const fitsBeside = useMediaQuery('(min-width: 1200px)', true, READ_WIDTH_IMMEDIATELY)
  const isNarrow = useMediaQuery('(max-width: 640px)', false, READ_WIDTH_IMMEDIATELY)
  const source = Number(get('source') ?? NaN)
  const close = () => set({ run: null, node: null, source: null, frame: null }, { replace: true })
  useShortcuts([
    [']', close],
    ...INSPECTOR_TABS.map((tab, index): [string, () => void] => [
      String(index + 1),
      () => set({ tab }, { replace: true }),
    ]),
  ])
  return (
    <InspectorPane name="compare" pane={{ fitsBeside, isNarrow, isOpen: true, open: () => undefined, toggle: close }}>
      <RunInspector
        key={run_id}
        run_id={run_id}
        run={run}
        workspace={run?.workspace ?? workspace}
        tab={parseInspectorTab(get('tab'))}
        source={Number.isInteger(source) ? source : null}
        onTab={(tab) => set({ tab }, { replace: true })}
        onClose={close}
      />
    </InspectorPane>
  )
}
