import { Button, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { contract } from '#contract/index.ts'
import { type Problem, ProblemError } from '#contract/problem.ts'
import { paths } from '../../paths.ts'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { useWords } from '../../ui/words.ts'
import { useWrite } from '../../wire/query.ts'
import classes from './Board.module.css'
import { compareWords } from './messages.ts'
import { boardFor, type Wanted } from './newBoard.ts'

export interface CreateBoardProps {
  workspace: string
  /** What is to stand on it from the beginning. */
  wanted: Wanted | null
  name: string
}

/** A board of its own, with what was brought along. */
export function CreateBoard({ workspace, wanted, name }: CreateBoardProps) {
  const t = useWords(compareWords)
  const navigate = useNavigate()
  const create = useWrite(contract.console.createKept)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [typed, setTyped] = useState(name)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (typed.trim() === '') return
    setProblem(null)
    try {
      const value = await boardFor(wanted ?? { run: null, app: null })
      const { id } = await create.mutateAsync({ body: { kind: 'board', workspace, name: typed.trim(), value } })
      void navigate(paths.board(id, { workspace }))
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      setProblem(error.problem)
    }
  }
  return (
    <>
      <form className={classes.row} onSubmit={(event) => void submit(event)} aria-label={t('newBoard')}>
        <TextInput
          aria-label={t('nameOfBoard')}
          placeholder={t('nameOfBoard')}
          maxLength={120}
          autoComplete="off"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button
          type="submit"
          leftSection={<IconPlus size={14} />}
          loading={create.isPending}
          disabled={typed.trim() === ''}
        >
          {t('newBoard')}
        </Button>
      </form>
      {problem ? <ProblemNote problem={problem} what={t('createWhat')} /> : null}
    </>
  )
}
