import { Button } from '@mantine/core'
import { IconRefresh, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { type AnswerState, emptyAnswer } from '#domain/answer/answerState.ts'
import { contract } from '#contract/index.ts'
import { asRecord } from '#domain/stream/untrustedJson.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { TextDiff } from '../../../components/data/textDiff/TextDiff.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useRead } from '../../../client/query.ts'
import { runStore, useRun } from '../../../client/useRun.ts'
import classes from './RerunQuestion.module.css'
import { segmentMessages } from './messages.ts'
import { type SourceRankChange, compareSourceRanks } from './sourceRanks.ts'
import { Can } from '../../../client/Can.tsx'

export interface RerunQuestionProps {
  /** The answer that led here. */
  run_id: string
  segment_id: string | undefined
  onClose: () => void
}

/** The question that led to this chunk, asked again after an edit: the chunk's place, the other sources, the answer. */
export function RerunQuestion({ run_id, segment_id, onClose }: RerunQuestionProps) {
  const t = useMessages(segmentMessages)
  const [rerunId, setRerunId] = useState<string | null>(null)
  const before = useRead(contract.console.readRun, { params: { run_id } })
  const view = useRun(contract.chat.send, rerunId, rerunId !== null)
  const run = before.data
  if (before.error)
    return <ProblemAlert problem={before.error.problem} action={t('runWhat')} onRetry={() => void before.refetch()} />
  if (!run) return null
  const first = { ...emptyAnswer, ...(run.answer as AnswerState | null | undefined) }
  const isFinished = view !== null && view.phase !== 'watching'
  const body = asRecord(run.request)
  const rerun = () => {
    // A conversation would remember the first answer, so the question stands alone.
    const question = contract.chat.send.body.parse({ ...body, conversation_id: '' })
    setRerunId(runStore.start(contract.chat.send, { key: run.key, body: question, parent: run_id }))
  }
  return (
    <section className={classes.again} aria-label={t('again')}>
      <header>
        <span>
          {t('from')} <b>{run.title}</b>
        </span>
        {run.entry === 'chat.send' && body ? (
          <Can entry={contract.chat.send}>
            <Button
              data-once
              leftSection={<IconRefresh size={14} />}
              loading={rerunId !== null && !isFinished}
              onClick={rerun}
            >
              {t('askAgain')}
            </Button>
          </Can>
        ) : null}
        <Button variant="subtle" color="gray" leftSection={<IconX size={14} />} onClick={onClose}>
          {t('closeRun')}
        </Button>
      </header>
      {view?.problem ? <ProblemAlert problem={view.problem} action={t('againWhat')} /> : null}
      {view && isFinished && !view.problem ? (
        <>
          <table>
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
            <p>{t('sameAnswer')}</p>
          ) : (
            <TextDiff before={first.text} after={view.state.text} />
          )}
        </>
      ) : null}
    </section>
  )
}

function RankCell({ rank: stand }: { rank: SourceRankChange['before'] }) {
  const t = useMessages(segmentMessages)
  if (!stand) return t('notASource')
  return stand.score === null
    ? t('stand', { rank: stand.rank })
    : t('standScore', { rank: stand.rank, score: stand.score.toFixed(3) })
}
