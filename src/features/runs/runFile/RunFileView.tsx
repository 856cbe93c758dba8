import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useMemo, useState } from 'react'
import { type AnswerState, emptyAnswer } from '#domain/answer/answerState.ts'
import { foldAnswer } from '#domain/answer/foldAnswer.ts'
import { formatDateTime } from '#domain/dateFormat.ts'
import { asRecord } from '#domain/stream/untrustedJson.ts'
import { applyRunDetail, completeAnswer } from '#domain/workflowRun/runDetail.ts'
import { emptyRun, type RunState } from '#domain/workflowRun/runState.ts'
import { foldRun } from '#domain/workflowRun/workflowEvents.ts'
import type { RunFile } from '#domain/runFile/runFile.ts'
import { IdChip } from '../../../components/data/IdChip.tsx'
import { SplitPane } from '../../../components/layout/SplitPane.tsx'
import { StatusBadge } from '../../../components/data/StatusBadge.tsx'
import { AnswerView } from '../answer/AnswerView.tsx'
import { useFrameTable } from '../frames/useFrameTable.ts'
import { InspectorView } from '../inspector/InspectorView.tsx'
import { AnswerMetrics } from '../answer/AnswerFooter.tsx'
import { RawJson } from '../../../components/data/json/RawJson.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { runMessages } from '../detail/messages.ts'
import classes from './RunFilePage.module.css'
import { PlaybackBar, usePlayback } from '../playback/PlaybackBar.tsx'
import { getDefaultInspectorTab, type InspectorTab } from '../inspector/inspectorTabs.ts'
import { toTurn, type Turn } from '../turn.ts'

export interface RunFileViewProps {
  file: RunFile
  onAnother: () => void
}

/** A run from a file: question, answer and inspector, without sending. */
export function RunFileView({ file, onAnother }: RunFileViewProps) {
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
    <div className={classes.file}>
      <div className={classes.middle}>
        <header className={classes.head}>
          <h1 dir="auto">{run.title || run.id.slice(0, 8)}</h1>
          <StatusBadge status={run.status} />
          <IdChip id={run.id} />
          <Button variant="default" onClick={onAnother}>
            {t('anotherFile')}
          </Button>
          <p>
            {t('fileOf', { when: formatDateTime(exported_at), version: versions.loupe })}{' '}
            {platform ? t('filePlatform', { name: platform.name, url: platform.base_url }) : null}
          </p>
        </header>
        <div className={classes.run}>
          <section aria-label={t('request')}>
            {turn.question.query !== '' && run.entry === 'chat.send' ? (
              <div className={classes.question} dir="auto">
                {turn.question.query}
              </div>
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
            <div className={classes.metrics}>
              <AnswerMetrics turn={playback.shownTurn} />
            </div>
          </article>
          {isWide ? null : <div className={classes.below}>{inspector}</div>}
        </div>
      </div>
      {isWide ? (
        <SplitPane label={t('inspector')} resizeLabel={t('fileResize')} storageKey="file" initialWidthPx={476}>
          {inspector}
        </SplitPane>
      ) : null}
    </div>
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
