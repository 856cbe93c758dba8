import { useMediaQuery } from '@mantine/hooks'
import { Inspector } from '../../run/Inspector.tsx'
import { InspectorPane } from '../../run/InspectorPane.tsx'
import { TABS } from '../../run/tabs.ts'
import { useTurn } from '../../run/useTurn.ts'
import { useLetterKeys } from '../../ui/useLetterKeys.ts'
import { useListState } from '../../ui/useListState.ts'

const AT_ONCE = { getInitialValueInEffect: false }

/** The inspector of the run in the URL (`?run=`); nothing while none is looked at. */
export function BoardInspector({ workspace }: { workspace: string }) {
  const { get } = useListState()
  const run_id = get('run')
  return run_id === undefined ? null : <Pane run_id={run_id} workspace={workspace} />
}

function Pane({ run_id, workspace }: { run_id: string; workspace: string }) {
  const { get, set } = useListState()
  const { run } = useTurn(run_id)
  const hasRoom = useMediaQuery('(min-width: 1200px)', true, AT_ONCE)
  const isNarrow = useMediaQuery('(max-width: 640px)', false, AT_ONCE)
  const source = Number(get('source') ?? NaN)
  const close = () => set({ run: null, node: null, source: null, frame: null }, { replace: true })
  useLetterKeys([
    [']', close],
    ...TABS.map((tab, index): [string, () => void] => [String(index + 1), () => set({ tab }, { replace: true })]),
  ])
  return (
    <InspectorPane name="compare" pane={{ hasRoom, isNarrow, isOpen: true, open: () => undefined, toggle: close }}>
      <Inspector
        key={run_id}
        run_id={run_id}
        run={run}
        workspace={run?.workspace ?? workspace}
        tab={TABS.find((one) => one === get('tab')) ?? TABS[0]}
        source={Number.isInteger(source) ? source : null}
        onTab={(tab) => set({ tab }, { replace: true })}
        onClose={close}
      />
    </InspectorPane>
  )
}
