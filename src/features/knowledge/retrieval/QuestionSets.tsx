import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { Link } from 'react-router'
import { paths } from '#domain/paths.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { type TableColumn, Table } from '../../../components/data/Table.tsx'
import { Tooltip } from '../../../components/overlays/Tooltip.tsx'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { retrievalMessages } from './messages.ts'
import type { QuestionSetItem } from './questionSet.ts'
import classes from './Retrieval.module.css'
import { type QuestionSetsProps, type QuestionSetsState, useQuestionSets } from './useQuestionSets.ts'

/** Sets of questions with the segment or document that each should find; a run says hit or miss, the rank, and that of before. */
export function QuestionSets(props: QuestionSetsProps) {
  const { dataset_id, search, canSearch, workspace, pendingItem, onItemAdded } = props
  const t = useMessages(retrievalMessages)
  const questionSets = useQuestionSets(props)
  const { list, sets, set, questions, selectSet, submit, run, done, problem, failed } = questionSets
  return (
    <section className={classes.sets} aria-label={t('sets')}>
      <h2>{t('sets')}</h2>
      {list.error ? (
        <ProblemAlert problem={list.error.problem} action={t('setsWhat')} onRetry={() => void list.refetch()} />
      ) : null}
      {pendingItem ? (
        <PendingQuestion questionSets={questionSets} pendingItem={pendingItem} onItemAdded={onItemAdded} />
      ) : null}
      {questionSets.canEdit ? (
        <form onSubmit={submit} className={classes.form}>
          <TextInput name="name" label={t('newSet')} maxLength={120} autoComplete="off" />
          <Button type="submit" variant="default" loading={questionSets.isCreating}>
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
        <QuestionTable questionSets={questionSets} dataset_id={dataset_id} workspace={workspace} />
      ) : null}
    </section>
  )
}

interface PendingQuestionProps {
  questionSets: QuestionSetsState
  pendingItem: QuestionSetItem
  onItemAdded: () => void
}

function PendingQuestion({ questionSets, pendingItem, onItemAdded }: PendingQuestionProps) {
  const t = useMessages(retrievalMessages)
  const { set, questions, saveSet, isSaved } = questionSets
  return (
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
          loading={questionSets.isUpdating}
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
  )
}

interface QuestionTableProps {
  questionSets: QuestionSetsState
  dataset_id: string
  workspace: string
}

/** The questions of a set, and how many of them found what they should. */
function QuestionTable({ questionSets, dataset_id, workspace }: QuestionTableProps) {
  const t = useMessages(retrievalMessages)
  const { set, questions, saveSet, canEdit } = questionSets
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
    ...(canEdit
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
  const hits = questions.filter(({ rank }) => rank).length
  const before = questions.filter((one) => one.before).length
  return (
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
  )
}
