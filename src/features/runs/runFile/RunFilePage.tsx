import { Box, Button, FileButton, Flex, Group, Paper, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconFileImport } from '@tabler/icons-react'
import { type DragEvent, useMemo, useState } from 'react'
import type { Problem } from '#contract/problem.ts'
import { type AnswerState, emptyAnswer } from '#domain/answer/answerState.ts'
import { foldAnswer } from '#domain/answer/foldAnswer.ts'
import { formatDateTime } from '#domain/dateFormat.ts'
import { checkRunFileSize, parseRunFile, type RunFile } from '#domain/runFile/runFile.ts'
import { asRecord } from '#domain/stream/untrustedJson.ts'
import { applyRunDetail, completeAnswer } from '#domain/workflowRun/runDetail.ts'
import { emptyRun, type RunState } from '#domain/workflowRun/runState.ts'
import { foldRun } from '#domain/workflowRun/workflowEvents.ts'
import { IdChip } from '../../../components/data/IdChip.tsx'
import { RawJson } from '../../../components/data/json/RawJson.tsx'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { SplitPane } from '../../../components/layout/SplitPane.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { AnswerMetrics } from '../answer/AnswerFooter.tsx'
import { AnswerView } from '../answer/AnswerView.tsx'
import { runMessages } from '../detail/messages.ts'
import { useFrameTable } from '../frames/useFrameTable.ts'
import { getDefaultInspectorTab, type InspectorTab } from '../inspector/inspectorTabs.ts'
import { InspectorView } from '../inspector/InspectorView.tsx'
import { PlaybackBar, usePlayback } from '../playback/PlaybackBar.tsx'
import { type Turn, toTurn } from '../turn.ts'
import classes from './RunFilePage.module.css'

type RunFilePageState =
  | { phase: 'none' }
  | { phase: 'reading'; name: string }
  | { phase: 'refused'; problem: Problem }
  | { phase: 'open'; file: RunFile }

/** Opens an exported run of any Loupe server, read-only. The file stays in the browser. */
export function RunFilePage() {
  const t = useMessages(runMessages)
  const [state, setState] = useState<RunFilePageState>({ phase: 'none' })
  const [isDraggedOver, setOver] = useState(false)
  const open = async (file: File) => {
    const tooLarge = checkRunFileSize(file.size)
    if (tooLarge) return setState({ phase: 'refused', problem: tooLarge })
    setState({ phase: 'reading', name: file.name })
    const read = parseRunFile(await file.text())
    setState(read.file ? { phase: 'open', file: read.file } : { phase: 'refused', problem: read.problem })
  }
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const file = event.dataTransfer.files[0]
    if (file) void open(file)
  }
  if (state.phase === 'open')
    return <RunFileView key={state.file.run.id} file={state.file} onAnother={() => setState({ phase: 'none' })} />
  return (
    <Box
      h="100%"
      maw={640}
      mx="auto"
      px="xl"
      py={48}
      className={classes.open}
      data-over={isDraggedOver || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      <Text component="h1" size="xl" fw={600}>
        {t('openFile')}
      </Text>
      <Text c="dimmed" my="md">
        {t('openFileText')}
      </Text>
      {state.phase === 'refused' ? <ProblemAlert problem={state.problem} action={t('openFileWhat')} /> : null}
      {state.phase === 'reading' ? (
        <Text c="dimmed" role="status">
          {t('readingFile', { name: state.name })}
        </Text>
      ) : null}
      <Text component="div" c="dimmed" mt="md">
        <FileButton accept="application/json,.json" onChange={(file) => (file ? void open(file) : undefined)}>
          {(button) => (
            <Button {...button} leftSection={<IconFileImport size={15} />}>
              {t('chooseFile')}
            </Button>
          )}
        </FileButton>{' '}
        {t('dropFile')}
      </Text>
    </Box>
  )
}

interface RunFileViewProps {
  file: RunFile
  onAnother: () => void
}

/** A run from a file: question, answer and inspector, without sending. */
function RunFileView({ file, onAnother }: RunFileViewProps) {
  const t = useMessages(runMessages)
  const { run, frames, versions, platform, exported_at } = file
  const [tab, setTab] = useState<InspectorTab | null>(null)
  const [source, setSource] = useState<number | null>(null)
  const isWide = useMediaQuery('(min-width: 960px)', true, { getInitialValueInEffect: false })
  const table = useFrameTable(run.entry, frames, frames.length)
  const folded = table.state as AnswerState | RunState
  const turn = useMemo(() => turnFromFile(file, folded), [file, folded])
  const playback = usePlayback(turn, frames, frames.length)
  const inspector = (
    <InspectorView
      turn={turn}
      frames={{ frames, count: frames.length, isReading: false, problem: null, retry: () => undefined }}
      reply={{ value: file.reply, problem: null, retry: () => undefined }}
      workspace={null}
      base_url={platform?.base_url ?? null}
      tab={tab ?? getDefaultInspectorTab(turn)}
      source={source}
      onTab={setTab}
      onClose={null}
      onExport={null}
    />
  )
  return (
    <Flex h="100%" miw={0}>
      <Flex direction="column" flex={1} miw={0}>
        <Flex component="header" wrap="wrap" align="center" gap="sm" px="xl" py="sm" className={classes.head}>
          <Text component="h1" size="lg" fw={600} truncate dir="auto">
            {run.title || run.id.slice(0, 8)}
          </Text>
          <StatusBadge status={run.status} />
          <IdChip id={run.id} />
          <Button variant="default" ml="auto" onClick={onAnother}>
            {t('anotherFile')}
          </Button>
          <Text size="sm" c="dimmed" flex="1 0 100%" className={classes.source}>
            {t('fileOf', { when: formatDateTime(exported_at), version: versions.loupe })}{' '}
            {platform ? t('filePlatform', { name: platform.name, url: platform.base_url }) : null}
          </Text>
        </Flex>
        <div className={classes.run}>
          <section aria-label={t('request')}>
            {turn.question.query !== '' && run.entry === 'chat.send' ? (
              <Paper w="fit-content" maw="90%" ml="auto" px="md" py="sm" className={classes.question} dir="auto">
                {turn.question.query}
              </Paper>
            ) : (
              <RawJson value={turn.question.inputs} label={t('request')} />
            )}
          </section>
          <article aria-label={t('answer')}>
            <PlaybackBar turn={turn} playback={playback} />
            <AnswerView
              turn={playback.shownTurn}
              onCite={(position) => {
                setTab('sources')
                setSource(position)
              }}
            />
            <Group gap="md" mt="md" pt="sm" className={classes.metrics}>
              <AnswerMetrics turn={playback.shownTurn} />
            </Group>
          </article>
          {isWide ? null : (
            <Flex h={640} className={classes.below}>
              {inspector}
            </Flex>
          )}
        </div>
      </Flex>
      {isWide ? (
        <SplitPane label={t('inspector')} resizeLabel={t('fileResize')} storageKey="file" initialWidthPx={476}>
          {inspector}
        </SplitPane>
      ) : null}
    </Flex>
  )
}

/** The run of a file as a turn. Its text is folded from the frames or the reply, never read directly. */
function turnFromFile(file: RunFile, streamed: AnswerState | RunState): Turn {
  const { run, request, frames } = file
  const answer = foldFile(file, streamed)
  const row = { ...run, workspace: '', key: '', frames: frames.length, bytes: 0, request: request.body, answer }
  const status = ['created', 'dispatched', 'streaming'].includes(run.status) ? 'unknown' : run.status
  return toTurn({ ...row, status }, null) as Turn
}

/** Frames together with a reply mean a stream without an end event, completed by operation 12. */
function foldFile({ run, frames, reply, exported_at }: RunFile, streamed: AnswerState | RunState) {
  if (reply === null) return streamed
  if ('nodes' in streamed) return foldRun(frames.length > 0 ? streamed : emptyRun, reply)
  if (frames.length === 0) return foldAnswer(emptyAnswer, reply)
  const source = { at: exported_at, elsewhere: false, because: run.problem?.message ?? null }
  return completeAnswer(streamed, applyRunDetail(streamed.run, asRecord(reply)?.data, source), null)
}
