import { Box } from '@mantine/core'
import { EXPORT_PERMISSION } from '#contract/permissions.ts'
import { type ReactNode, Suspense, useState } from 'react'
import type { Run } from '#contract/console/runs.ts'
import { type Problem, ProblemError } from '#contract/problem.ts'
import { chatEndpoints } from '#contract/platform/chat.ts'
import { callEndpoints } from '#contract/console/calls.ts'
import { workspaceEndpoints } from '#contract/console/workspaces.ts'
import { lazyWithPreload } from '../../../components/layout/lazyWithPreload.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useFrames } from '../../../client/frameStore.ts'
import { useRead } from '../../../client/query.ts'
import { usePermission } from '../../../client/usePermission.ts'
import { useRun } from '../../../client/useRun.ts'
import { collectRunFile, saveRunFile } from '../runFile/exportRunFile.ts'
import { InspectorView } from './InspectorView.tsx'
import { runMessages } from '../detail/messages.ts'
import { getDefaultInspectorTab, type InspectorTab } from './inspectorTabs.ts'
import { useSelectedNode } from '../timeline/useSelectedNode.ts'
import { isTurnOver, toTurn } from '../turn.ts'

const LazyNodePanel = lazyWithPreload(async () => (await import('./NodePanel.tsx')).NodePanel)

interface RunInspectorProps {
  run_id: string | null
  /** The server's row, null while only this browser knows the run. */
  run: Run | null
  workspace: string
  /** The tab that was chosen; null for none, which opens the default one (`getDefaultInspectorTab`). */
  tab: InspectorTab | null
  source: number | null
  onTab: (tab: InspectorTab) => void
  /** Null if its container has a close button. */
  onClose: (() => void) | null
  /** The content of the tab with the variables of the conversation; without it there is no such tab. */
  variables?: ReactNode
}

/** The details of any run: frames, request, response, sources, usage. */
export function RunInspector({
  run_id,
  run,
  workspace,
  tab: chosenTab,
  source,
  onTab,
  onClose,
  variables,
}: RunInspectorProps) {
  const t = useMessages(runMessages)
  const view = useRun(chatEndpoints.send, run_id, false)
  const turn = toTurn(run, view)
  const over = turn !== null && isTurnOver(turn)
  const tab = chosenTab ?? getDefaultInspectorTab(turn)
  const frames = useFrames(tab === 'frames' ? run_id : null, turn?.frames ?? 0)
  const isSingleReply = over && turn.frames === 0
  const reply = useRead(
    callEndpoints.readCall,
    { params: { call_id: run_id ?? '' } },
    { enabled: isSingleReply && tab === 'reply' },
  )
  const workspaces = useRead(workspaceEndpoints.listWorkspaces, {})
  const workspaceRecord = workspaces.data?.data.find(({ id }) => id === workspace)
  const [selectedNode, selectNode] = useSelectedNode()
  // A round belongs to its iteration or loop node.
  const node = turn?.answer.run.nodes.find(({ id }) => id === selectedNode || selectedNode?.startsWith(`${id}:`))
  const can = usePermission()
  const [lastExport, setLastExport] = useState<{ run_id: string; problem: Problem | null } | null>(null)
  const exporting = lastExport?.run_id === run_id ? lastExport : null
  const onExport = async () => {
    if (run_id === null || exporting?.problem === null) return
    setLastExport({ run_id, problem: null })
    try {
      saveRunFile(
        await collectRunFile(
          run_id,
          workspaceRecord ? { name: workspaceRecord.name, base_url: workspaceRecord.base_url } : null,
        ),
      )
      setLastExport((last) => (last?.run_id === run_id ? null : last))
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      const { problem } = error
      setLastExport((last) => (last?.run_id === run_id ? { run_id, problem } : last))
    }
  }
  if (node && turn)
    return (
      <Suspense>
        <LazyNodePanel
          key={node.id}
          node={node}
          run={turn.answer.run}
          run_id={turn.run_id}
          parent={run?.parent ?? view?.sent?.parent ?? null}
          onClose={() => selectNode(null)}
        />
      </Suspense>
    )
  return (
    <InspectorView
      turn={turn}
      frames={frames}
      reply={{
        value: reply.data ? (reply.data.reply ?? null) : undefined,
        problem: reply.error?.problem ?? null,
        retry: () => void reply.refetch(),
      }}
      workspace={workspace}
      base_url={workspaceRecord?.base_url ?? null}
      tab={tab}
      source={source}
      onTab={onTab}
      onClose={onClose}
      variables={variables}
      onExport={over && can(EXPORT_PERMISSION) ? () => void onExport() : null}
      note={
        exporting ? (
          <Box style={{ borderBottom: '1px solid var(--line)' }} px="md" py="sm" fz="sm" c="dimmed" role="status">
            {exporting.problem ? (
              <ProblemAlert problem={exporting.problem} action={t('exportWhat')} onRetry={() => void onExport()} />
            ) : (
              t('exporting')
            )}
          </Box>
        ) : null
      }
    />
  )
}
