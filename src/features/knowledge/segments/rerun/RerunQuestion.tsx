import { Button } from '@mantine/core'
import { IconRefresh, IconX } from '@tabler/icons-react'
import { ProblemAlert } from '../../../../components/layout/ProblemAlert.tsx'
import { TextDiff } from '../../../../components/data/textDiff/TextDiff.tsx'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import classes from './RerunQuestion.module.css'
import { segmentMessages } from '../messages.ts'
import { type SourceRankChange, compareSourceRanks } from './sourceRanks.ts'
import type { useRerunQuestion } from './useRerunQuestion.ts'

export interface RerunQuestionProps {
  rerun: ReturnType<typeof useRerunQuestion>
  segment_id: string | undefined
  onClose: () => void
}

/** The question that led to this chunk, asked again after an edit: the chunk's place, the other sources, the answer. */
export function RerunQuestion({ rerun, segment_id, onClose }: RerunQuestionProps) {
  const t = useMessages(segmentMessages)
  const { run, problem, first, view, isFinished } = rerun
  if (problem) return <ProblemAlert problem={problem} action={t('runWhat')} onRetry={rerun.retry} />
  if (!run) return null
  return (
    <section className={classes.again} aria-label={t('again')}>
      <header>
        <span>
          {t('from')} <b>{run.title}</b>
        </span>
        {rerun.ask ? (
          <Button data-once leftSection={<IconRefresh size={14} />} loading={rerun.isAsking} onClick={rerun.ask}>
            {t('askAgain')}
          </Button>
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
