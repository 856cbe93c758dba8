import { Suspense, useState } from 'react'
import { contract } from '#contract/index.ts'
import type { Run } from '#contract/runs.ts'
import { type Problem, ProblemError } from '#contract/problem.ts'
import { part } from '../ui/part.tsx'
import { ProblemNote } from '../ui/ProblemNote.tsx'
import { useWords } from '../ui/words.ts'
import { useFrames } from '../wire/frames.ts'
import { useRead } from '../wire/query.ts'
import { useRun } from '../wire/useRun.ts'
import { collectRunFile, saveRunFile } from './exportRun.ts'
import classes from './Inspector.module.css'
import { InspectorView } from './InspectorView.tsx'
import { runWords } from './messages.ts'
import type { Tab } from './tabs.ts'
import { useChosenNode } from './timeline/useChosenNode.ts'
import { isOver, turnOf } from './turn.ts'

const NodePanel = part(async () => (await import('./timeline/NodePanel.tsx')).NodePanel)

export interface InspectorProps {
  run_id: string | null
  /** The server's row, null while only this browser knows of the run. */
  run: Run | null
  workspace: string
  tab: Tab
  source: number | null
  onTab: (tab: Tab) => void
  /** Null where what holds it has a way to close it. */
  onClose: (() => void) | null
}

/** What belongs to a run beside its words, for any run: its frames, what was sent, what came, its sources, what it cost. */
export function Inspector({ run_id, run, workspace, tab, source, onTab, onClose }: InspectorProps) {
  const t = useWords(runWords)
  const view = useRun(contract.chat.send, run_id, false)
  const turn = turnOf(run, view)
  const over = turn !== null && isOver(turn)
  const frames = useFrames(tab === 'frames' ? run_id : null, turn?.frames ?? 0)
  const isWhole = over && turn.frames === 0
  const reply = useRead(
    contract.console.readCall,
    { params: { call_id: run_id ?? '' } },
    { enabled: isWhole && tab === 'reply' },
  )
  const workspaces = useRead(contract.console.listWorkspaces, {})
  const home = workspaces.data?.data.find(({ id }) => id === workspace)
  const [chosen, choose] = useChosenNode()
  // A round is of the node that runs in rounds.
  const node = turn?.answer.run.nodes.find(({ id }) => id === chosen || chosen?.startsWith(`${id}:`))
  const [exporting, setExporting] = useState<{ problem: Problem | null } | null>(null)
  const onExport = async () => {
    if (run_id === null || exporting?.problem === null) return
    setExporting({ problem: null })
    try {
      saveRunFile(await collectRunFile(run_id, home ? { name: home.name, base_url: home.base_url } : null))
      setExporting(null)
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      setExporting({ problem: error.problem })
    }
  }
  if (node && turn)
    return (
      <Suspense>
        <NodePanel
          key={node.id}
          node={node}
          run={turn.answer.run}
          run_id={turn.run_id}
          parent={run?.parent ?? view?.sent?.parent ?? null}
          onClose={() => choose(null)}
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
      base_url={home?.base_url ?? null}
      tab={tab}
      source={source}
      onTab={onTab}
      onClose={onClose}
      onExport={over ? () => void onExport() : null}
      note={
        exporting ? (
          <div className={classes.note} role="status">
            {exporting.problem ? (
              <ProblemNote problem={exporting.problem} what={t('exportWhat')} onRetry={() => void onExport()} />
            ) : (
              t('exporting')
            )}
          </div>
        ) : null
      }
    />
  )
}
