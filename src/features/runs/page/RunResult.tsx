import { Button } from '@mantine/core'
import { IconColumns3, IconDownload, IconExternalLink } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import type { Key, Workspace } from '#contract/console/consoleEndpoints.ts'
import { type Problem, ProblemError } from '#contract/problem.ts'
import { isActiveStatus, type Run } from '#contract/console/runs.ts'
import { paths } from '#domain/paths.ts'
import { EXPORT_PERMISSION } from '#contract/permissions.ts'
import { AnnotateButton } from '../annotate/AnnotateButton.tsx'
import { STOP_ENTRIES } from '../runEntries.ts'
import { collectRunFile, saveRunFile } from '../runFile/exportRunFile.ts'
import { PlaybackBar } from '../playback/PlaybackBar.tsx'
import { usePlayback } from '../playback/usePlayback.ts'
import { QuestionFiles } from '../answer/QuestionFiles.tsx'
import { RunReply } from '../detail/RunReply.tsx'
import { RunForms } from '../forms/RunForms.tsx'
import { StopRunButton } from '../detail/StopRunButton.tsx'
import { AskPlatform } from '../platformDetail/AskPlatform.tsx'
import { KeptMessageNote } from '../platformDetail/KeptMessageNote.tsx'
import { PlatformDetail } from '../platformDetail/PlatformDetail.tsx'
import { isTurnOver, type Turn } from '../turn.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { RawJson } from '../../../components/data/json/RawJson.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useFrames } from '../../../client/frameStore.ts'
import { runStore } from '../../../client/useRun.ts'
import { ParentNodes } from '../version/ParentNodes.tsx'
import { RunLineage } from './RunLineage.tsx'
import { runListMessages } from '../list/messages.ts'
import classes from './Run.module.css'
import { RunSections } from './RunSections.tsx'
import { contract } from '#contract/index.ts'
import { Can } from '../../../client/Can.tsx'

export interface RunResultProps {
  turn: Turn
  /** The server's row, null while only this browser knows the run. */
  run: Run | null
  /** Null if this console has no such key (any more). */
  app: Key | null
  workspace: Workspace | null
  parent: string | null
  source: number | null
  onInspect: (change: Record<string, string | number | null>) => void
  /** The URL for editing the inputs and sending them again. */
  replayPath: string
}

const PLAYGROUND_MESSAGES = {
  'chat.send': 'openChat',
  'completion.send': 'openCompletion',
  'workflows.run': 'openWorkflow',
} as const

/** The question and the result, with related runs. */
export function RunResult(props: RunResultProps) {
  const { turn, run, app, workspace, parent, source, onInspect, replayPath } = props
  const t = useMessages(runListMessages)
  const navigate = useNavigate()
  const [exported, setExported] = useState<Problem | null>(null)
  const { question } = turn
  const [isPlayed, setPlayed] = useState(false)
  const recording = useFrames(isPlayed ? turn.run_id : null, turn.frames)
  const playback = usePlayback(turn, recording.frames, recording.count)
  const givenInputs = Object.keys(question.inputs).length > 0
  const files = question.body.files
  const runWorkspace = run ? getPlaygroundPath(run) : null
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
      <div className={classes.actions}>
        {runWorkspace ? (
          <Button variant="default" leftSection={<IconExternalLink size={14} />} component={Link} to={runWorkspace}>
            {t(PLAYGROUND_MESSAGES[turn.entry])}
          </Button>
        ) : null}
        {run && !isActiveStatus(run.status) ? (
          <Can entry={EXPORT_PERMISSION}>
            <Button variant="default" leftSection={<IconDownload size={14} />} onClick={() => void onExport()}>
              {t('export')}
            </Button>
          </Can>
        ) : null}
        {run ? (
          <Can entry={contract.console.updateSavedItem}>
            <Button
              variant="default"
              leftSection={<IconColumns3 size={14} />}
              component={Link}
              to={paths.compare({ workspace: workspace?.id, run: run.id })}
            >
              {t('addToBoard')}
            </Button>
          </Can>
        ) : null}
        {app ? null : <p className={classes.note}>{t('keyDeleted')}</p>}
      </div>
      <RunSections
        frames={turn.frames}
        hasInputs={givenInputs}
        hasDetail={app !== null && turn.entry === 'workflows.run' && isTurnOver(turn) && turn.state !== 'refused'}
        onFrames={() => onInspect({ tab: 'frames' })}
      />
      {exported ? <ProblemAlert problem={exported} action={t('exportWhat')} onRetry={() => void onExport()} /> : null}
      {turn.entry === 'chat.send' ? (
        <section aria-label={t('question')}>
          <h2 className={classes.head}>{t('question')}</h2>
          <div className={classes.question} dir="auto">
            {question.query}
          </div>
          <QuestionFiles turn={turn} app={app?.id ?? null} />
        </section>
      ) : null}
      <section aria-label={t('result')}>
        <h2 className={classes.head}>{t('result')}</h2>
        <PlaybackBar turn={turn} playback={{ ...playback, play: onPlay }} />
        <RunReply
          turn={playback.shownTurn}
          workspace={workspace?.id ?? ''}
          app={app?.id ?? null}
          source={source}
          onCite={(position) => onInspect({ tab: 'sources', source: position })}
          onInspect={() => onInspect({})}
          // From here, a resend goes through the form.
          onResend={() => void navigate(replayPath)}
          onEdit={() => {
            runStore.remove(turn.run_id)
            void navigate(paths.runs({ workspace: workspace?.id }))
          }}
          actions={<AnnotateButton turn={turn} app={app} workspace={workspace?.id ?? ''} />}
          forms={<RunForms turn={turn} app={app} />}
          askPlatform={app ? <AskPlatform turn={turn} app={app} /> : null}
          keptMessage={app ? <KeptMessageNote turn={turn} app={app} /> : null}
          stopButton={
            app ? (
              <StopRunButton
                app={app}
                entry={STOP_ENTRIES[turn.entry]}
                task_id={turn.answer.task_id}
                user={question.user}
              />
            ) : null
          }
        />
      </section>
      {givenInputs ? (
        <section aria-label={t('inputs')}>
          <h2 className={classes.head}>{t('inputs')}</h2>
          <RawJson value={question.inputs} label={t('inputs')} />
        </section>
      ) : null}
      {Array.isArray(files) && files.length > 0 ? (
        <section aria-label={t('files')}>
          <h2 className={classes.head}>{t('files')}</h2>
          {turn.entry === 'chat.send' ? null : <QuestionFiles turn={turn} app={app?.id ?? null} />}
          <RawJson value={files} label={t('files')} />
        </section>
      ) : null}
      {app && turn.entry === 'workflows.run' ? <PlatformDetail turn={turn} app={app.id} /> : null}
      <ParentNodes turn={turn} parent={parent} />
      <RunLineage run_id={turn.run_id} parent={parent} />
    </div>
  )
}

/** The URL of the playground for a run. */
function getPlaygroundPath({ id, entry, workspace, key, conversation_id }: Run): string {
  if (entry === 'completion.send') return paths.completion({ workspace, app: key, run: id })
  if (entry === 'workflows.run') return paths.workflows({ workspace, app: key, run: id })
  return paths.chat({ workspace, app: key, conversation: conversation_id, run: id })
}
