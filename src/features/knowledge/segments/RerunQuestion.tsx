import { Button, Group, Stack, Text } from '@mantine/core'
import { IconRefresh, IconX } from '@tabler/icons-react'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { ReadBoundary } from '../../../components/layout/ReadBoundary.tsx'
import { TextDiff } from '../../../components/data/textDiff/TextDiff.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import classes from './Document.module.css'
import { segmentMessages } from './messages.ts'
import { useState } from 'react'
import { runEndpoints } from '#contract/console/runEndpoints.ts'
import { chatEndpoints } from '#contract/platform/chat.ts'
import { type AnswerState, emptyAnswer } from '#domain/answer/answerState.ts'
import { asRecord } from '#domain/stream/untrustedJson.ts'
import { useRead } from '../../../client/query.ts'
import { usePermission } from '../../../client/usePermission.ts'
import { runStore, useRun } from '../../../client/useRun.ts'
import type { RetrieverResource } from '#contract/platform/schemas.ts'

interface RerunQuestionProps {
  rerun: ReturnType<typeof useRerunQuestion>
  segment_id: string | undefined
  onClose: () => void
}

/** The question that led to this chunk, asked again after an edit: the chunk's place, the other sources, the answer. */
export function RerunQuestion({ rerun, segment_id, onClose }: RerunQuestionProps) {
  const t = useMessages(segmentMessages)
  const { first, view, isFinished } = rerun
  return (
    <ReadBoundary read={rerun.read} action={t('runWhat')} loading={null}>
      {(run) => (
        <Stack
          component="section"
          aria-label={t('again')}
          flex="none"
          mah="45%"
          gap="sm"
          px="lg"
          py="sm"
          bg="var(--canvas)"
          fz={13}
          style={{ overflow: 'auto', borderBottom: '1px solid var(--line)' }}
        >
          <Group component="header" gap="sm">
            <Text span flex="1 1 200px" fz={13} c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {t('from')}{' '}
              <Text span inherit fw={600} c="var(--text)">
                {run.title}
              </Text>
            </Text>
            {rerun.ask ? (
              <Button data-once leftSection={<IconRefresh size={14} />} loading={rerun.isAsking} onClick={rerun.ask}>
                {t('askAgain')}
              </Button>
            ) : null}
            <Button variant="subtle" color="gray" leftSection={<IconX size={14} />} onClick={onClose}>
              {t('closeRun')}
            </Button>
          </Group>
          {view?.problem ? <ProblemAlert problem={view.problem} action={t('againWhat')} /> : null}
          {view && isFinished && !view.problem ? (
            <>
              <table className={classes.sources}>
                <thead>
                  <tr>
                    <th scope="col">{t('source')}</th>
                    <th scope="col">{t('before')}</th>
                    <th scope="col">{t('now')}</th>
                  </tr>
                </thead>
                <tbody>
                  {compareSourceRanks(first.sources, view.state.sources).map((sourceRank) => (
                    <tr key={sourceRank.segment_id} aria-current={sourceRank.segment_id === segment_id || undefined}>
                      <td>{sourceRank.segment_id === segment_id ? <b>{t('thisChunk')}</b> : sourceRank.name}</td>
                      <td>
                        <RankCell rank={sourceRank.before} />
                      </td>
                      <td>
                        <RankCell rank={sourceRank.after} />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
              {first.text === view.state.text ? (
                <Text fz={13} c="dimmed">
                  {t('sameAnswer')}
                </Text>
              ) : (
                <TextDiff before={first.text} after={view.state.text} />
              )}
            </>
          ) : null}
        </Stack>
      )}
    </ReadBoundary>
  )
}

function RankCell({ rank: stand }: { rank: SourceRankChange['before'] }) {
  const t = useMessages(segmentMessages)
  if (!stand) return t('notASource')
  return stand.score === null
    ? t('stand', { rank: stand.rank })
    : t('standScore', { rank: stand.rank, score: stand.score.toFixed(3) })
}

/** The question of an answer that led to a chunk, and its new answer. */
export function useRerunQuestion(run_id: string | undefined) {
  const [rerun, setRerun] = useState<{ of: string; id: string } | null>(null)
  const can = usePermission()
  const before = useRead(runEndpoints.readRun, { params: { run_id: run_id ?? '' } }, { enabled: run_id !== undefined })
  const rerunId = rerun && rerun.of === run_id ? rerun.id : null
  const view = useRun(chatEndpoints.send, rerunId, rerunId !== null)
  // The previous run is not an answer to this one.
  const run = run_id === undefined || before.isPlaceholderData ? undefined : before.data
  const body = asRecord(run?.request)
  const canAsk = run?.entry === 'chat.send' && body !== null && can(chatEndpoints.send)
  const isFinished = view !== null && view.phase !== 'watching'
  const ask = () => {
    if (!run || run_id === undefined) return
    // A conversation would remember the first answer, so the question is sent alone.
    const question = chatEndpoints.send.body.parse({ ...body, conversation_id: '' })
    setRerun({ of: run_id, id: runStore.start(chatEndpoints.send, { key: run.key, body: question, parent: run_id }) })
  }
  return {
    read: { ...before, data: run },
    first: { ...emptyAnswer, ...(run?.answer as AnswerState | null | undefined) },
    /** Null before it was asked again. */
    view,
    isFinished,
    isAsking: rerunId !== null && !isFinished,
    /** Null where the question cannot be asked again from here. */
    ask: canAsk ? ask : null,
  }
}

interface SourceRank {
  /** From 1 on, in the order of the answer. */
  rank: number
  score: number | null
}
/** The ranks of one segment among the sources of two answers; null if it was not a source. */
interface SourceRankChange {
  segment_id: string
  name: string
  before: SourceRank | null
  after: SourceRank | null
}

/** The sources of two answers side by side: first those of the answer after, then what fell out. */
export function compareSourceRanks(
  before: readonly RetrieverResource[],
  after: readonly RetrieverResource[],
): SourceRankChange[] {
  const ids = [...new Set([...after, ...before].flatMap(({ segment_id }) => segment_id || []))]
  return ids.map((segment_id) => {
    const source = [...after, ...before].find((one) => one.segment_id === segment_id)
    const at = source?.segment_position == null ? '' : ` · ${source.segment_position}`
    return {
      segment_id,
      name: `${source?.document_name ?? segment_id.slice(0, 8)}${at}`,
      before: findSourceRank(before, segment_id),
      after: findSourceRank(after, segment_id),
    }
  })
}

function findSourceRank(sources: readonly RetrieverResource[], segment_id: string): SourceRank | null {
  const index = sources.findIndex((one) => one.segment_id === segment_id)
  return index === -1 ? null : { rank: index + 1, score: sources[index]?.score ?? null }
}
