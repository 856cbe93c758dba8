import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import { contract } from '#contract/index.ts'
import { type Problem, ProblemError } from '#contract/problem.ts'
import { paths } from '#domain/paths.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { type TableColumn, Table } from '../../../components/data/Table.tsx'
import { Tooltip } from '../../../components/overlays/Tooltip.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useRead, useWrite } from '../../../client/query.ts'
import type { SearchFunction } from './retrievalSearch.ts'
import { retrievalMessages } from './messages.ts'
import { type QuestionSetItem, isSameQuestionItem, parseQuestions, findRank, applyRanks } from './questionSet.ts'
import classes from './Retrieval.module.css'
import { usePermission } from '../../../client/usePermission.ts'

export interface QuestionSetsProps {
  dataset_id: string
  /** Null for somebody who may not search. */
  search: SearchFunction | null
  canSearch: boolean
  workspace: string
  /** A question to be kept, with what it should find. */
  pendingItem: QuestionSetItem | null
  onItemAdded: () => void
}

/** Sets of questions with the segment or document that each should find; a run says hit or miss, the rank, and that of before. */
export function QuestionSets({
  dataset_id,
  search,
  canSearch,
  workspace,
  pendingItem,
  onItemAdded,
}: QuestionSetsProps) {
  const t = useMessages(retrievalMessages)
  const [selectedSet, selectSet] = useState('')
  const [done, setDone] = useState<number | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const list = useRead(contract.console.listSavedItems, {
    query: { kind: 'question_set', workspace, about: dataset_id },
  })
  const create = useWrite(contract.console.createSavedItem)
  const update = useWrite(contract.console.updateSavedItem)
  const can = usePermission()(contract.console.updateSavedItem)
  const sets = list.data?.data ?? []
  const set = sets.find(({ id }) => id === selectedSet) ?? sets[0]
  const questions = parseQuestions(set?.value)
  const saveSet = (next: readonly QuestionSetItem[]) =>
    set && update.mutate({ params: { saved_item_id: set.id }, body: { value: { questions: next } } })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const name = String(new FormData(form).get('name')).trim()
    if (name === '') return
    const value = { questions: pendingItem ? [pendingItem] : [] }
    create.mutate(
      { body: { kind: 'question_set', workspace, about: dataset_id, name, value } },
      {
        onSuccess: ({ id }) => {
          selectSet(id)
          onItemAdded()
          form.reset()
        },
      },
    )
  }
  const run = async () => {
    if (!search) return
    setProblem(null)
    const ranks: number[] = []
    try {
      for (const one of questions) {
        setDone(ranks.length)
        ranks.push(findRank(await search(one.query), one))
      }
      saveSet(applyRanks(questions, ranks))
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      setProblem(error.problem)
    } finally {
      setDone(null)
    }
  }
  const formatRank = (rank: number | null) =>
    rank === null ? t('notRun') : rank === 0 ? t('miss') : t('rank', { rank })
  const columns: TableColumn<QuestionSetItem>[] = [
    { header: t('question'), grows: true, cell: ({ query }) => <span title={query}>{query}</span> },
    { header: t('before'), cell: ({ before }) => formatRank(before) },
    { header: t('now'), cell: ({ rank }) => <b>{formatRank(rank)}</b> },
    {
      header: t('expected'),
      grows: true,
      cell: ({ document_id, segment_id, label }) => (
        <Link
          to={paths.document(dataset_id, document_id, { workspace, ...(segment_id ? { segment: segment_id } : {}) })}
        >
          {segment_id ? label : t('anyOf', { document: label })}
        </Link>
      ),
    },
    ...(can
      ? [
          {
            header: t('remove'),
            cell: (one: QuestionSetItem) => (
              <Tooltip label={t('remove')}>
                <ActionIcon
                  aria-label={t('removeOne', { question: one.query })}
                  onClick={() => saveSet(questions.filter((other) => other !== one))}
                >
                  <IconTrash size={15} />
                </ActionIcon>
              </Tooltip>
            ),
          },
        ]
      : []),
  ]
  const isSaved = pendingItem !== null && questions.some((one) => isSameQuestionItem(one, pendingItem))
  const failed = problem ?? update.error?.problem ?? create.error?.problem
  const hits = questions.filter(({ rank }) => rank).length
  const before = questions.filter((one) => one.before).length
  return (
    <section className={classes.sets} aria-label={t('sets')}>
      <h2>{t('sets')}</h2>
      {list.error ? (
        <ProblemAlert problem={list.error.problem} action={t('setsWhat')} onRetry={() => void list.refetch()} />
      ) : null}
      {pendingItem ? (
        <div className={classes.wanted} role="status">
          <p>
            {t.rich('expectedCount', {
              query: pendingItem.query,
              label: pendingItem.segment_id ? pendingItem.label : t('anyOf', { document: pendingItem.label }),
              b: (words) => <b>{words}</b>,
            })}{' '}
            {set ? null : t('expectedNoSet')}
          </p>
          {set && isSaved ? <p>{t('isKept', { name: set.name })}</p> : null}
          {set ? (
            <Button
              loading={update.isPending}
              disabled={isSaved}
              onClick={() => {
                saveSet([...questions, pendingItem])
                onItemAdded()
              }}
            >
              {t('addTo', { name: set.name })}
            </Button>
          ) : null}
        </div>
      ) : null}
      {can ? (
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
            onChange={(event) => selectSet(event.currentTarget.value)}
          />
          {search ? (
            <Button
              variant="default"
              disabled={!canSearch || questions.length === 0 || done !== null}
              onClick={() => void run()}
            >
              {done === null ? t('run') : t('running', { done, all: questions.length })}
            </Button>
          ) : null}
        </div>
      ) : null}
      {failed ? <ProblemAlert problem={failed} action={problem ? t('findWhat') : t('setWhat')} /> : null}
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
            getKey={(one) => `${questions.indexOf(one)}${one.segment_id ?? one.document_id}`}
          />
        </>
      ) : null}
    </section>
  )
}
