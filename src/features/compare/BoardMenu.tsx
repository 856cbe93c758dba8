import { ActionIcon, Button, Menu, TextInput } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import type { FormEvent } from 'react'
import type { Kept } from '#contract/kept.ts'
import { contract } from '#contract/index.ts'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { useWords } from '../../ui/words.ts'
import { useWrite } from '../../wire/query.ts'
import { boardOf } from './board.ts'
import classes from './Board.module.css'
import { compareWords } from './messages.ts'
import { May } from '../../wire/May.tsx'

export interface BoardMenuProps {
  kept: Kept
  /** What opens when one has chosen: it stands below the row or the head. */
  onAsk: (asks: 'name' | 'delete') => void
  onCopied: (board: Kept) => void
}

/** What can be done with a board as a whole. */
export function BoardMenu({ kept, onAsk, onCopied }: BoardMenuProps) {
  const t = useWords(compareWords)
  const create = useWrite(contract.console.createKept)
  const name = t('copyOf', { name: kept.name }).slice(0, 120)
  const duplicate = () =>
    create.mutate(
      { body: { kind: 'board', workspace: kept.workspace, name, value: kept.value } },
      { onSuccess: onCopied },
    )
  return (
    <May entry={contract.console.updateKept}>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon aria-label={t('more', { name: kept.name })} loading={create.isPending}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => onAsk('name')}>{t('rename')}</Menu.Item>
          <Menu.Item onClick={duplicate}>{t('duplicate')}</Menu.Item>
          <Menu.Item onClick={() => onAsk('delete')}>{t('delete')}</Menu.Item>
          {create.error ? <Menu.Label>{create.error.problem.message}</Menu.Label> : null}
        </Menu.Dropdown>
      </Menu>
    </May>
  )
}

export interface BoardDeedProps {
  kept: Kept
  asks: 'name' | 'delete'
  onDone: (deleted: boolean) => void
}

/** A board's new name, or the question whether it is to go. */
export function BoardDeed({ kept, asks, onDone }: BoardDeedProps) {
  const t = useWords(compareWords)
  const update = useWrite(contract.console.updateKept)
  const remove = useWrite(contract.console.deleteKept)
  const params = { kept_id: kept.id }
  const problem = update.error?.problem ?? remove.error?.problem
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const name = String(new FormData(event.currentTarget).get('name')).trim()
    if (name !== '') update.mutate({ params, body: { name } }, { onSuccess: () => onDone(false) })
  }
  const runs = new Set(boardOf(kept.value).cells.flatMap((cell) => cell.runs)).size
  return (
    <div className={classes.deed}>
      {asks === 'name' ? (
        <form className={classes.row} onSubmit={save}>
          <TextInput
            name="name"
            aria-label={t('nameOfBoard')}
            defaultValue={kept.name}
            maxLength={120}
            autoComplete="off"
            autoFocus
          />
          <Button type="submit" loading={update.isPending}>
            {t('save')}
          </Button>
          <Button variant="default" onClick={() => onDone(false)}>
            {t('cancel')}
          </Button>
        </form>
      ) : (
        <div className={classes.row} role="group" aria-label={t('delete')}>
          <span className={classes.words}>{t('deleteWhat', { name: kept.name, count: runs })}</span>
          <Button
            variant="default"
            loading={remove.isPending}
            onClick={() => remove.mutate({ params }, { onSuccess: () => onDone(true) })}
          >
            {t('deleteIt')}
          </Button>
          <Button autoFocus onClick={() => onDone(false)}>
            {t('keepIt')}
          </Button>
        </div>
      )}
      {problem ? <ProblemNote problem={problem} what={t('changeWhat')} /> : null}
    </div>
  )
}
