import { Button } from '@mantine/core'
import { IconColumns3, IconDownload, IconExternalLink } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import type { Key, Workspace } from '#contract/console.ts'
import { type Problem, ProblemError } from '#contract/problem.ts'
import { isLive, type Run } from '#contract/runs.ts'
import { paths } from '../../paths.ts'
import { Annotate } from '../../run/annotate/Annotate.tsx'
import { STOPS } from '../../run/entries.ts'
import { collectRunFile, saveRunFile } from '../../run/exportRun.ts'
import { PlaybackBar } from '../../run/playback/PlaybackBar.tsx'
import { usePlayback } from '../../run/playback/usePlayback.ts'
import { Reply } from '../../run/Reply.tsx'
import { StopRun } from '../../run/StopRun.tsx'
import { AskPlatform } from '../../run/timeline/AskPlatform.tsx'
import { PlatformDetail } from '../../run/timeline/PlatformDetail.tsx'
import { isOver, type Turn } from '../../run/turn.ts'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { RawJson } from '../../ui/RawJson.tsx'
import { useWords } from '../../ui/words.ts'
import { useFrames } from '../../wire/frames.ts'
import { runs } from '../../wire/useRun.ts'
import { Lineage } from './Lineage.tsx'
import { runsWords } from './messages.ts'
import classes from './Run.module.css'
import { RunParts } from './RunParts.tsx'
import { contract } from '#contract/index.ts'
import { May } from '../../wire/May.tsx'

export interface RunResultProps {
  turn: Turn
  /** The server's row, null while only this browser knows of the run. */
  run: Run | null
  /** Null where this console has no such key (any more). */
  app: Key | null
  workspace: Workspace | null
  parent: string | null
  source: number | null
  onInspect: (change: Record<string, string | number | null>) => void
  /** Where its inputs can be edited and sent again. */
  replayPath: string
}

const PLACES = {
  'chat.send': 'openChat',
  'completion.send': 'openCompletion',
  'workflows.run': 'openWorkflow',
} as const

/** What was asked and what came of it, with its relatives. */
export function RunResult(props: RunResultProps) {
  const { turn, run, app, workspace, parent, source, onInspect, replayPath } = props
  const t = useWords(runsWords)
  const navigate = useNavigate()
  const [exported, setExported] = useState<Problem | null>(null)
  const { question } = turn
  const [isPlayed, setPlayed] = useState(false)
  const recording = useFrames(isPlayed ? turn.run_id : null, turn.frames)
  const playback = usePlayback(turn, recording.frames, recording.count)
  const given = Object.keys(question.inputs).length > 0
  const files = question.body.files
  const home = run ? placeOf(run) : null
  const onPlay: typeof playback.play = (speed) => {
    setPlayed(true)
    playback.play(speed)
  }
  const onExport = async () => {
    setExported(null)
    try {
      const platform = workspace ? { name: workspace.name, base_url: workspace.base_url } : null
      saveRunFile(await collectRunFile(turn.run_id, platform))
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      setExported(error.problem)
    }
  }
  return (
    <div className={classes.result} data-wide={turn.answer.run.nodes.length > 0 || undefined}>
      <div className={classes.deeds}>
        {home ? (
          <Button variant="default" leftSection={<IconExternalLink size={14} />} component={Link} to={home}>
            {t(PLACES[turn.entry])}
          </Button>
        ) : null}
        {run && !isLive(run.status) ? (
          <Button variant="default" leftSection={<IconDownload size={14} />} onClick={() => void onExport()}>
            {t('export')}
          </Button>
        ) : null}
        {run ? (
          <May entry={contract.console.updateKept}>
            <Button
              variant="default"
              leftSection={<IconColumns3 size={14} />}
              component={Link}
              to={paths.compare({ workspace: workspace?.id, run: run.id })}
            >
              {t('addToBoard')}
            </Button>
          </May>
        ) : null}
        {app ? null : <p className={classes.note}>{t('keyGone')}</p>}
      </div>
      <RunParts
        frames={turn.frames}
        hasInputs={given}
        hasDetail={app !== null && turn.entry === 'workflows.run' && isOver(turn)}
        onFrames={() => onInspect({ tab: 'frames' })}
      />
      {exported ? <ProblemNote problem={exported} what={t('exportWhat')} onRetry={() => void onExport()} /> : null}
      {turn.entry === 'chat.send' ? (
        <section aria-label={t('question')}>
          <h2 className={classes.head}>{t('question')}</h2>
          <div className={classes.question} dir="auto">
            {question.query}
          </div>
        </section>
      ) : null}
      <section aria-label={t('result')}>
        <h2 className={classes.head}>{t('result')}</h2>
        <PlaybackBar turn={turn} playback={{ ...playback, play: onPlay }} />
        <Reply
          turn={playback.shown}
          workspace={workspace?.id ?? ''}
          source={source}
          onCite={(position) => onInspect({ tab: 'sources', source: position })}
          onInspect={() => onInspect({})}
          // What is sent from here goes through the form first.
          onSendAgain={() => void navigate(replayPath)}
          onGiveUp={() => {
            runs.forget(turn.run_id)
            void navigate(paths.runs({ workspace: workspace?.id }))
          }}
          deeds={<Annotate turn={turn} app={app} workspace={workspace?.id ?? ''} />}
          ask={app ? <AskPlatform turn={turn} app={app} /> : null}
          stop={
            app ? <StopRun app={app} by={STOPS[turn.entry]} task_id={turn.answer.task_id} user={question.user} /> : null
          }
        />
      </section>
      {given ? (
        <section aria-label={t('inputs')}>
          <h2 className={classes.head}>{t('inputs')}</h2>
          <RawJson value={question.inputs} label={t('inputs')} />
        </section>
      ) : null}
      {Array.isArray(files) && files.length > 0 ? (
        <section aria-label={t('files')}>
          <h2 className={classes.head}>{t('files')}</h2>
          <RawJson value={files} label={t('files')} />
        </section>
      ) : null}
      {app && turn.entry === 'workflows.run' ? <PlatformDetail turn={turn} app={app.id} /> : null}
      <Lineage run_id={turn.run_id} parent={parent} />
    </div>
  )
}

/** The playground where a run belongs. */
function placeOf({ id, entry, workspace, key, conversation_id }: Run): string {
  if (entry === 'completion.send') return paths.completion({ workspace, app: key, run: id })
  if (entry === 'workflows.run') return paths.workflows({ workspace, app: key, run: id })
  return paths.chat({ workspace, app: key, conversation: conversation_id, run: id })
}
