import { Button } from '@mantine/core'
import { IconRefresh, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { type AnswerState, emptyAnswer } from '#contract/answer.ts'
import { contract } from '#contract/index.ts'
import { asRecord } from '#contract/untrusted.ts'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { TextDiff } from '../../ui/TextDiff.tsx'
import { useWords } from '../../ui/words.ts'
import { useRead } from '../../wire/query.ts'
import { runs, useRun } from '../../wire/useRun.ts'
import classes from './AskAgain.module.css'
import { segmentsWords } from './messages.ts'
import { type Place, placesOf } from './places.ts'
import { May } from '../../wire/May.tsx'

export interface AskAgainProps {
  /** The answer that led here. */
  run_id: string
  segment_id: string | undefined
  onClose: () => void
}

/** The question that led to this chunk, asked again after an edit: the chunk's place, the other sources, the answer. */
export function AskAgain({ run_id, segment_id, onClose }: AskAgainProps) {
  const t = useWords(segmentsWords)
  const [again, setAgain] = useState<string | null>(null)
  const before = useRead(contract.console.readRun, { params: { run_id } })
  const view = useRun(contract.chat.send, again, again !== null)
  const run = before.data
  if (before.error)
    return <ProblemNote problem={before.error.problem} what={t('runWhat')} onRetry={() => void before.refetch()} />
  if (!run) return null
  const first = { ...emptyAnswer, ...(run.answer as AnswerState | null | undefined) }
  const isOver = view !== null && view.phase !== 'watching'
  const body = asRecord(run.request)
  const ask = () => {
    // A conversation would remember the first answer, so the question stands alone.
    const question = contract.chat.send.body.parse({ ...body, conversation_id: '' })
    setAgain(runs.begin(contract.chat.send, { key: run.key, body: question, parent: run_id }))
  }
  return (
    <section className={classes.again} aria-label={t('again')}>
      <header>
        <span>
          {t('from')} <b>{run.title}</b>
        </span>
        {run.entry === 'chat.send' && body ? (
          <May entry={contract.chat.send}>
            <Button data-once leftSection={<IconRefresh size={14} />} loading={again !== null && !isOver} onClick={ask}>
              {t('askAgain')}
            </Button>
          </May>
        ) : null}
        <Button variant="subtle" color="gray" leftSection={<IconX size={14} />} onClick={onClose}>
          {t('putAway')}
        </Button>
      </header>
      {view?.problem ? <ProblemNote problem={view.problem} what={t('againWhat')} /> : null}
      {view && isOver && !view.problem ? (
        <>
          <table>
            <thead>
              <tr>
                <th scope="col">{t('source')}</th>
                <th scope="col">{t('beforeEdit')}</th>
                <th scope="col">{t('now')}</th>
              </tr>
            </thead>
            <tbody>
              {placesOf(first.sources, view.state.sources).map((place) => (
                <tr key={place.segment_id} aria-current={place.segment_id === segment_id || undefined}>
                  <td>{place.segment_id === segment_id ? <b>{t('thisChunk')}</b> : place.name}</td>
                  <td>
                    <Stand stand={place.before} />
                  </td>
                  <td>
                    <Stand stand={place.after} />
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

function Stand({ stand }: { stand: Place['before'] }) {
  const t = useWords(segmentsWords)
  if (!stand) return t('notASource')
  return stand.score === null
    ? t('stand', { rank: stand.rank })
    : t('standScore', { rank: stand.rank, score: stand.score.toFixed(3) })
}
