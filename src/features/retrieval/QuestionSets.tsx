import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import { contract } from '#contract/index.ts'
import { type Problem, ProblemError } from '#contract/problem.ts'
import { paths } from '../../paths.ts'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { type Column, Table } from '../../ui/Table.tsx'
import { Tooltip } from '../../ui/Tooltip.tsx'
import { useWords } from '../../ui/words.ts'
import { useRead, useWrite } from '../../wire/query.ts'
import type { Find } from './finding.ts'
import { retrievalWords } from './messages.ts'
import { type Asked, isSameQuestion, questionsOf, rankOf, withRanks } from './questions.ts'
import classes from './Retrieval.module.css'
import { useMay } from '../../wire/useMay.ts'

export interface QuestionSetsProps {
  dataset_id: string
  /** Null for somebody who may not search. */
  find: Find | null
  canAsk: boolean
  workspace: string
  /** A question to be kept, with what it should find. */
  wanted: Asked | null
  onTaken: () => void
}

/** Sets of questions with the segment or document that each should find; a run says hit or miss, the rank, and that of before. */
export function QuestionSets({ dataset_id, find, canAsk, workspace, wanted, onTaken }: QuestionSetsProps) {
  const t = useWords(retrievalWords)
  const [chosen, choose] = useState('')
  const [done, setDone] = useState<number | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const list = useRead(contract.console.listKept, { query: { kind: 'question_set', workspace, about: dataset_id } })
  const create = useWrite(contract.console.createKept)
  const update = useWrite(contract.console.updateKept)
  const may = useMay()(contract.console.updateKept)
  const sets = list.data?.data ?? []
  const set = sets.find(({ id }) => id === chosen) ?? sets[0]
  const questions = questionsOf(set?.value)
  const keep = (next: readonly Asked[]) =>
    set && update.mutate({ params: { kept_id: set.id }, body: { value: { questions: next } } })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const name = String(new FormData(form).get('name')).trim()
    if (name === '') return
    const value = { questions: wanted ? [wanted] : [] }
    create.mutate(
      { body: { kind: 'question_set', workspace, about: dataset_id, name, value } },
      {
        onSuccess: ({ id }) => {
          choose(id)
          onTaken()
          form.reset()
        },
      },
    )
  }
  const run = async () => {
    if (!find) return
    setProblem(null)
    const ranks: number[] = []
    try {
      for (const one of questions) {
        setDone(ranks.length)
        ranks.push(rankOf(await find(one.query), one))
      }
      keep(withRanks(questions, ranks))
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      setProblem(error.problem)
    } finally {
      setDone(null)
    }
  }
  const say = (rank: number | null) => (rank === null ? t('notRun') : rank === 0 ? t('miss') : t('rank', { rank }))
  const columns: Column<Asked>[] = [
    { head: t('question'), grow: true, cell: ({ query }) => <span title={query}>{query}</span> },
    { head: t('before'), cell: ({ before }) => say(before) },
    { head: t('now'), cell: ({ rank }) => <b>{say(rank)}</b> },
    {
      head: t('expected'),
      grow: true,
      cell: ({ document_id, segment_id, label }) => (
        <Link
          to={paths.document(dataset_id, document_id, { workspace, ...(segment_id ? { segment: segment_id } : {}) })}
        >
          {segment_id ? label : t('anyOf', { document: label })}
        </Link>
      ),
    },
    ...(may
      ? [
          {
            head: t('remove'),
            cell: (one: Asked) => (
              <Tooltip label={t('remove')}>
                <ActionIcon
                  aria-label={t('removeOne', { question: one.query })}
                  onClick={() => keep(questions.filter((other) => other !== one))}
                >
                  <IconTrash size={15} />
                </ActionIcon>
              </Tooltip>
            ),
          },
        ]
      : []),
  ]
  const isKept = wanted !== null && questions.some((one) => isSameQuestion(one, wanted))
  const failed = problem ?? update.error?.problem ?? create.error?.problem
  const hits = questions.filter(({ rank }) => rank).length
  const before = questions.filter((one) => one.before).length
  return (
    <section className={classes.sets} aria-label={t('sets')}>
      <h2>{t('sets')}</h2>
      {list.error ? (
        <ProblemNote problem={list.error.problem} what={t('setsWhat')} onRetry={() => void list.refetch()} />
      ) : null}
      {wanted ? (
        <div className={classes.wanted} role="status">
          <p>
            {t.rich('wanted', {
              query: wanted.query,
              label: wanted.segment_id ? wanted.label : t('anyOf', { document: wanted.label }),
              b: (words) => <b>{words}</b>,
            })}{' '}
            {set ? null : t('wantedNoSet')}
          </p>
          {set && isKept ? <p>{t('isKept', { name: set.name })}</p> : null}
          {set ? (
            <Button
              loading={update.isPending}
              disabled={isKept}
              onClick={() => {
                keep([...questions, wanted])
                onTaken()
              }}
            >
              {t('addTo', { name: set.name })}
            </Button>
          ) : null}
        </div>
      ) : null}
      {may ? (
        <form onSubmit={submit} className={classes.form}>
          <TextInput name="name" label={t('newSet')} maxLength={120} autoComplete="off" />
          <Button type="submit" variant="default" loading={create.isPending}>
            {t('createSet')}
          </Button>
        </form>
      ) : null}
      {set ? (
        <div className={classes.form}>
          <NativeSelect
            label={t('set')}
            value={set.id}
            data={sets.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={(event) => choose(event.currentTarget.value)}
          />
          {find ? (
            <Button
              variant="default"
              disabled={!canAsk || questions.length === 0 || done !== null}
              onClick={() => void run()}
            >
              {done === null ? t('run') : t('running', { done, all: questions.length })}
            </Button>
          ) : null}
        </div>
      ) : null}
      {failed ? <ProblemNote problem={failed} what={problem ? t('findWhat') : t('setWhat')} /> : null}
      {questions.length > 0 ? (
        <>
          <p role="status">
            {questions.some((one) => one.before !== null)
              ? t('totals', { hits, all: questions.length, before })
              : t('totalsFirst', { hits, all: questions.length })}
          </p>
          <Table
            label={t('questionsOf', { name: set?.name ?? '' })}
            columns={columns}
            rows={questions}
            keyOf={(one) => `${questions.indexOf(one)}${one.segment_id ?? one.document_id}`}
          />
        </>
      ) : null}
    </section>
  )
}
