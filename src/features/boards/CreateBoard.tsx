import { Button, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { type Problem, ProblemError } from '#contract/problem.ts'
import { savedItemEndpoints } from '#contract/console/savedItems.ts'
import { paths } from '#domain/paths.ts'
import { useWhileMounted } from '../../components/hooks/useWhileMounted.ts'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { useWrite } from '../../client/query.ts'
import classes from './Board.module.css'
import { boardMessages } from './messages.ts'
import { createBoardFor, type BoardAddition } from './boardCreation.ts'

export interface CreateBoardProps {
  workspace: string
  /** What is to stand on it from the beginning. */
  addition: BoardAddition | null
  name: string
}

/** A board of its own, with what was brought along. */
export function CreateBoard({ workspace, addition, name }: CreateBoardProps) {
  const t = useMessages(boardMessages)
  const navigate = useNavigate()
  const whileMounted = useWhileMounted()
  const create = useWrite(savedItemEndpoints.createSavedItem)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [draftName, setDraftName] = useState(name)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (draftName.trim() === '') return
    setProblem(null)
    try {
      const value = await createBoardFor(addition ?? { run: null, app: null })
      const { id } = await create.mutateAsync({ body: { kind: 'board', workspace, name: draftName.trim(), value } })
      whileMounted(() => void navigate(paths.board(id, { workspace })))()
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
          value={draftName}
          onChange={(event) => setDraftName(event.currentTarget.value)}
        />
        <Button
          type="submit"
          leftSection={<IconPlus size={14} />}
          loading={create.isPending}
          disabled={draftName.trim() === ''}
        >
          {t('newBoard')}
        </Button>
      </form>
      {problem ? <ProblemAlert problem={problem} action={t('createWhat')} /> : null}
    </>
  )
}
