import { type FormEvent, useState } from 'react'
import { contract } from '#contract/index.ts'
import { type Problem, ProblemError } from '#contract/problem.ts'
import { useRead, useWrite } from '../../../client/query.ts'
import type { SearchFunction } from './retrievalSearch.ts'
import { type QuestionSetItem, isSameQuestionItem, parseQuestions, findRank, applyRanks } from './questionSet.ts'
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

export type QuestionSetsState = ReturnType<typeof useQuestionSets>

/** The sets of questions of a dataset, and the run of one. */
export function useQuestionSets({ dataset_id, search, workspace, pendingItem, onItemAdded }: QuestionSetsProps) {
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
        ranks.push(findRank((await search(one.query)).hits, one))
      }
      saveSet(applyRanks(questions, ranks))
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      setProblem(error.problem)
    } finally {
      setDone(null)
    }
  }
  const isSaved = pendingItem !== null && questions.some((one) => isSameQuestionItem(one, pendingItem))
  const failed = problem ?? update.error?.problem ?? create.error?.problem
  return {
    list,
    sets,
    set,
    questions,
    selectSet,
    saveSet,
    submit,
    run,
    done,
    canEdit: can,
    isSaved,
    isCreating: create.isPending,
    isUpdating: update.isPending,
    problem,
    failed,
  }
}
