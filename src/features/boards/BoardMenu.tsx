import { ActionIcon, Box, Menu, TextInput } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { ProblemError } from '#contract/problem.ts'
import { boardEndpoints } from '#contract/console/boards.ts'
import { type SavedItem, savedItemEndpoints } from '#contract/console/savedItems.ts'
import { useDeleteDialog } from '../../components/overlays/useDeleteDialog.ts'
import { InlineForm } from '../../components/forms/InlineForm.tsx'
import { useContractForm } from '../../components/forms/useContractForm.ts'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { call } from '../../client/http.ts'
import { useWrite } from '../../client/query.ts'
import { parseBoard } from './board.ts'
import { boardMessages } from './messages.ts'
import { Can } from '../../client/Can.tsx'
import { truncateText } from '#contract/truncatedText.ts'

export interface BoardMenuProps {
  savedBoard: SavedItem
  /** Opens the field for the name below the row or the head. */
  onRename: () => void
  onCopied: (board: SavedItem) => void
  onDeleted?: () => void
}

/** What can be done with a board as a whole. */
export function BoardMenu({ savedBoard, onRename, onCopied, onDeleted }: BoardMenuProps) {
  const t = useMessages(boardMessages)
  const create = useWrite(savedItemEndpoints.createSavedItem)
  const name = truncateText(t('copyOf', { name: savedBoard.name }), 120)
  const duplicate = () =>
    create.mutate(
      {
        body: { kind: 'board', workspace: savedBoard.workspace, name, value: savedBoard.value, copy_of: savedBoard.id },
      },
      { onSuccess: onCopied },
    )
  const openDelete = useDeleteDialog()
  const remove = useWrite(savedItemEndpoints.deleteSavedItem, { onDone: () => onDeleted?.() })
  const askDelete = async () => {
    const runs = await countRuns(savedBoard)
    openDelete({
      title: t('deleteTitle', { name: savedBoard.name }),
      lost: [t('deleteLost')],
      kept: runs > 0 ? [t('deleteKept', { count: runs })] : [],
      confirmLabel: t('deleteIt'),
      cancelLabel: t('cancel'),
      action: t('changeWhat'),
      run: () => remove.mutateAsync({ params: { saved_item_id: savedBoard.id } }),
    })
  }
  return (
    <Can entry={savedItemEndpoints.updateSavedItem}>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon aria-label={t('moreFor', { name: savedBoard.name })} loading={create.isPending}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={onRename}>{t('rename')}</Menu.Item>
          <Menu.Item onClick={duplicate}>{t('duplicate')}</Menu.Item>
          <Menu.Item onClick={() => void askDelete()}>{t('delete')}</Menu.Item>
          {create.error ? <Menu.Label>{create.error.problem.message}</Menu.Label> : null}
        </Menu.Dropdown>
      </Menu>
    </Can>
  )
}

/** The runs that a board shows, as far as the reader may see them. */
async function countRuns({ id, value }: SavedItem): Promise<number> {
  const finished = parseBoard(value).cells.flatMap((cell) => cell.runs)
  const sent = await call(boardEndpoints.readBoardRounds, { params: { board_id: id } }).then(
    ({ rounds }) => rounds.flatMap(({ run }) => run ?? []),
    (error: unknown) => {
      if (!(error instanceof ProblemError)) throw error
      return []
    },
  )
  return new Set([...finished, ...sent]).size
}

export interface RenameBoardProps {
  savedBoard: SavedItem
  onDone: () => void
}

/** A board's new name. */
export function RenameBoard({ savedBoard, onDone }: RenameBoardProps) {
  const t = useMessages(boardMessages)
  const update = useWrite(savedItemEndpoints.updateSavedItem)
  const form = useContractForm({
    schema: savedItemEndpoints.updateSavedItem.body,
    initialValues: { name: savedBoard.name },
    toBody: ({ name }) => ({ name: name.trim() }),
    send: (body) => update.mutateAsync({ params: { saved_item_id: savedBoard.id }, body }),
    onDone,
  })
  return (
    <Box maw={720} px="lg" py="md">
      <InlineForm form={form} layout="row" submitLabel={t('save')} action={t('changeWhat')} onCancel={onDone}>
        <TextInput
          {...form.field('name')}
          label={undefined}
          flex="1 1 200px"
          aria-label={t('nameOfBoard')}
          maxLength={120}
          autoComplete="off"
          autoFocus
        />
      </InlineForm>
    </Box>
  )
}
