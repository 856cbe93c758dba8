import { ActionIcon, Button, Group, Menu, Stack, TextInput } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import type { FormEvent } from 'react'
import { type SavedItem, savedItemEndpoints } from '#contract/console/savedItems.ts'
import { DeleteDialog } from '../../components/overlays/DeleteDialog.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { useWrite } from '../../client/query.ts'
import { parseBoard } from './board.ts'
import { boardMessages } from './messages.ts'
import { Can } from '../../client/Can.tsx'
import { truncateText } from '#contract/truncatedText.ts'

export interface BoardMenuProps {
  savedBoard: SavedItem
  /** What opens when one has chosen: it stands below the row or the head. */
  onAsk: (asks: 'name' | 'delete') => void
  onCopied: (board: SavedItem) => void
}

/** What can be done with a board as a whole. */
export function BoardMenu({ savedBoard, onAsk, onCopied }: BoardMenuProps) {
  const t = useMessages(boardMessages)
  const create = useWrite(savedItemEndpoints.createSavedItem)
  const name = truncateText(t('copyOf', { name: savedBoard.name }), 120)
  const duplicate = () =>
    create.mutate(
      { body: { kind: 'board', workspace: savedBoard.workspace, name, value: savedBoard.value } },
      { onSuccess: onCopied },
    )
  return (
    <Can entry={savedItemEndpoints.updateSavedItem}>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon aria-label={t('moreFor', { name: savedBoard.name })} loading={create.isPending}>
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
    </Can>
  )
}

export interface BoardDialogProps {
  savedBoard: SavedItem
  dialog: 'name' | 'delete'
  onDone: (deleted: boolean) => void
}

/** A board's new name, or the question whether it is to go. */
export function BoardDialog({ savedBoard, dialog, onDone }: BoardDialogProps) {
  const t = useMessages(boardMessages)
  const update = useWrite(savedItemEndpoints.updateSavedItem)
  const remove = useWrite(savedItemEndpoints.deleteSavedItem)
  const params = { saved_item_id: savedBoard.id }
  const problem = update.error?.problem
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const name = String(new FormData(event.currentTarget).get('name')).trim()
    if (name !== '') update.mutate({ params, body: { name } }, { onSuccess: () => onDone(false) })
  }
  const runs = new Set(parseBoard(savedBoard.value).cells.flatMap((cell) => cell.runs)).size
  if (dialog === 'delete')
    return (
      <DeleteDialog
        title={t('deleteTitle', { name: savedBoard.name })}
        lost={[t('deleteLost')]}
        kept={runs > 0 ? [t('deleteKept', { count: runs })] : []}
        confirmLabel={t('deleteIt')}
        cancelLabel={t('cancel')}
        isPending={remove.isPending}
        problem={remove.error?.problem}
        action={t('changeWhat')}
        onDelete={() => remove.mutate({ params }, { onSuccess: () => onDone(true) })}
        onClose={() => onDone(false)}
      />
    )
  return (
    <Stack gap="sm" maw={720} px="lg" py="md">
      <form onSubmit={save}>
        <Group gap="sm">
          <TextInput
            name="name"
            flex="1 1 200px"
            aria-label={t('nameOfBoard')}
            defaultValue={savedBoard.name}
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
        </Group>
      </form>
      {problem ? <ProblemAlert problem={problem} action={t('changeWhat')} /> : null}
    </Stack>
  )
}
