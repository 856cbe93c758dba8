import { ActionIcon, Menu, Paper, Stack, Tabs } from '@mantine/core'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { IconColumns3, IconDots, IconDownload, IconExternalLink } from '@tabler/icons-react'
import { type Problem, ProblemError } from '#contract/problem.ts'
import { isActiveStatus, type Run } from '#contract/console/runs.ts'
import type { Key, Workspace } from '#contract/console/workspaces.ts'
import { EXPORT_PERMISSION } from '#contract/permissions.ts'
import { savedItemEndpoints } from '#contract/console/savedItems.ts'
import { paths } from '#domain/paths.ts'
import { AnnotateButton } from '../annotate/AnnotateButton.tsx'
import { TestCaseButton } from '../testCase/TestCaseButton.tsx'
import { useUnsentRunEdit } from '../replay/useReplayEdits.ts'
import { STOP_ENTRIES } from '../runEntries.ts'
import { collectRunFile, saveRunFile } from '../runFile/exportRunFile.ts'
import { framesMessages } from '../frames/messages.ts'
import { PlaybackBar, usePlayback } from '../playback/PlaybackBar.tsx'
import { QuestionFiles } from '../files/QuestionFiles.tsx'
import { RunReply } from '../detail/RunReply.tsx'
import { RunForms } from '../forms/RunForms.tsx'
import { StopRunButton } from '../detail/StopRunButton.tsx'
import { AskPlatform } from '../platformDetail/AskPlatform.tsx'
import { KeptMessageNote } from '../platformDetail/RunNotes.tsx'
import { PlatformDetail } from '../platformDetail/PlatformDetail.tsx'
import { isTurnOver, type Turn } from '../turn.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { RawJson } from '../../../components/data/json/RawJson.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useSearchParamState } from '../../../components/hooks/useSearchParamState.ts'
import { useFrames } from '../../../client/frameStore.ts'
import { ParentNodes, RunLineage } from './RunLineage.tsx'
import { runListMessages } from '../list/messages.ts'
import classes from './Run.module.css'
import { RunHeading, RunNote, RunSection } from './RunSection.tsx'
import { timelineMessages } from '../timeline/messages.ts'
import { usePermission } from '../../../client/usePermission.ts'
import blocks from '../../../components/layout/Blocks.module.css'

interface RunResultProps {
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

/** The question and the result, with related runs. */
export function RunResult(props: RunResultProps) {
  const { turn, run, app, workspace, parent, source, onInspect, replayPath } = props
  const t = useMessages(runListMessages)
  const tTimeline = useMessages(timelineMessages)
  const tFrames = useMessages(framesMessages)
  const navigate = useNavigate()
  const [exported, setExported] = useState<Problem | null>(null)
  const editUnsent = useUnsentRunEdit({ turn, app: app?.id, workspace: workspace?.id, parent })
  const { question } = turn
  const [isPlayed, setPlayed] = useState(false)
  const recording = useFrames(isPlayed ? turn.run_id : null, turn.frames)
  const playback = usePlayback(turn, recording.frames, recording.count)
  const recordingProblem = playback.state ? recording.problem : null
  const givenInputs = Object.keys(question.inputs).length > 0
  const files = question.body.files
  const { get, set } = useSearchParamState()
  const hasFiles = Array.isArray(files) && files.length > 0
  const hasDetail = app !== null && turn.entry === 'workflows.run' && isTurnOver(turn) && turn.state !== 'refused'
  const tabs = [
    { value: 'result', label: t('result') },
    ...(givenInputs || hasFiles ? [{ value: 'inputs', label: t('inputs') }] : []),
    ...(hasDetail ? [{ value: 'platform', label: tTimeline('detail') }] : []),
  ]
  const shownTab = tabs.find(({ value }) => value === get('part'))?.value ?? 'result'
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
    <Stack gap="lg" maw={turn.answer.run.nodes.length > 0 ? 1160 : 820} mx="auto">
      {app ? null : <RunNote>{t('keyDeleted')}</RunNote>}
      {exported ? <ProblemAlert problem={exported} action={t('exportWhat')} onRetry={() => void onExport()} /> : null}
      <Tabs
        value={shownTab}
        onChange={(part) => set({ part: part === 'result' ? null : part }, { replace: true })}
        keepMounted={false}
      >
        <div className={classes.parts}>
          <Tabs.List aria-label={t('runSections')}>
            {tabs.map(({ value, label }) => (
              <Tabs.Tab key={value} value={value}>
                {label}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {run ? <RunMoreMenu run={run} onExport={() => void onExport()} /> : null}
        </div>
        <Tabs.Panel value="result" className={classes.panel}>
          {turn.entry === 'chat.send' ? (
            <RunSection title={t('question')}>
              <Paper className={blocks.asWritten} dir="auto" {...QUESTION_STYLE}>
                {question.query}
              </Paper>
              <QuestionFiles turn={turn} app={app?.id ?? null} />
            </RunSection>
          ) : null}
          <div>
            {/* The tab names the result; a heading parts it from a question above it. */}
            {turn.entry === 'chat.send' ? <RunHeading>{t('answer')}</RunHeading> : null}
            <PlaybackBar turn={turn} playback={{ ...playback, play: onPlay }} />
            {recordingProblem ? (
              <ProblemAlert problem={recordingProblem} action={tFrames('readFrames')} onRetry={recording.retry} />
            ) : null}
            <RunReply
              turn={recordingProblem ? turn : playback.shownTurn}
              workspace={workspace?.id ?? ''}
              app={app?.id ?? null}
              source={source}
              onCite={(position) => onInspect({ tab: 'sources', source: position })}
              onInspect={() => onInspect({})}
              // From here, a resend goes through the form.
              onResend={() => void navigate(replayPath)}
              onEdit={editUnsent}
              actions={
                <>
                  <AnnotateButton turn={turn} app={app} workspace={workspace?.id ?? ''} />
                  <TestCaseButton turn={turn} app={app} workspace={workspace?.id ?? ''} />
                </>
              }
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
          </div>
          <ParentNodes turn={turn} parent={parent} />
          <RunLineage run_id={turn.run_id} parent={parent} />
        </Tabs.Panel>
        <Tabs.Panel value="inputs" className={classes.panel}>
          <RunInputs turn={turn} app={app?.id ?? null} />
        </Tabs.Panel>
        <Tabs.Panel value="platform" className={classes.panel}>
          {app && hasDetail ? <PlatformDetail turn={turn} app={app.id} /> : null}
        </Tabs.Panel>
      </Tabs>
    </Stack>
  )
}

/** What the run was given: its inputs and its files. */
function RunInputs({ turn, app }: { turn: Turn; app: string | null }) {
  const t = useMessages(runListMessages)
  const { inputs, body } = turn.question
  const { files } = body
  return (
    <>
      {Object.keys(inputs).length > 0 ? (
        <RunSection title={t('inputs')}>
          <RawJson value={inputs} label={t('inputs')} />
        </RunSection>
      ) : null}
      {Array.isArray(files) && files.length > 0 ? (
        <RunSection title={t('files')}>
          {turn.entry === 'chat.send' ? null : <QuestionFiles turn={turn} app={app} />}
          <RawJson value={files} label={t('files')} />
        </RunSection>
      ) : null}
    </>
  )
}

const PLAYGROUND_MESSAGES = {
  'chat.send': 'openChat',
  'completion.send': 'openCompletion',
  'workflows.run': 'openWorkflow',
} as const

/** Actions on a stored run: open it in its playground, export it, add it to a board. */
function RunMoreMenu({ run, onExport }: { run: Run; onExport: () => void }) {
  const t = useMessages(runListMessages)
  const can = usePermission()
  const canAdd = can(savedItemEndpoints.updateSavedItem)
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={t('more')} title={t('more')}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconExternalLink size={14} />} component={Link} to={getPlaygroundPath(run)}>
          {t(PLAYGROUND_MESSAGES[run.entry])}
        </Menu.Item>
        {isActiveStatus(run.status) || !can(EXPORT_PERMISSION) ? null : (
          <Menu.Item leftSection={<IconDownload size={14} />} onClick={onExport}>
            {t('export')}
          </Menu.Item>
        )}
        {canAdd ? (
          <Menu.Item
            leftSection={<IconColumns3 size={14} />}
            component={Link}
            to={paths.compare({ workspace: run.workspace, run: run.id })}
          >
            {t('addToBoard')}
          </Menu.Item>
        ) : null}
      </Menu.Dropdown>
    </Menu>
  )
}

/** The URL of the playground for a run. */
function getPlaygroundPath({ id, entry, workspace, key, conversation_id }: Run): string {
  if (entry === 'completion.send') return paths.completion({ workspace, app: key, run: id })
  if (entry === 'workflows.run') return paths.workflows({ workspace, app: key, run: id })
  return paths.chat({ workspace, app: key, conversation: conversation_id, run: id })
}

const QUESTION_STYLE = {
  bg: 'var(--sunken)',
  px: 'md',
  py: 'sm',
  mah: 320,
  fz: 14,
  lh: 1.5,
  style: { overflowY: 'auto' },
} as const
