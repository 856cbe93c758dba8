import { MAX_BOARD_CELLS } from '#contract/console/boards.ts'
import { savedItemEndpoints, type SavedItem } from '#contract/console/savedItems.ts'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import { Page } from '../../components/layout/Page.tsx'
import { ReadBoundary } from '../../components/layout/ReadBoundary.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { useSearchParamState } from '../../components/hooks/useSearchParamState.ts'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { useRead, invalidateTags, useWrite } from '../../client/query.ts'
import { useWorkspace } from '../../client/useWorkspace.ts'
import { findApp } from './appOptions.ts'
import { boardMessages } from './messages.ts'
import { usePermission } from '../../client/usePermission.ts'
import { truncateText } from '#contract/truncatedText.ts'
import { Box, Button, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { Link, useNavigate } from 'react-router'
import type { Workspace } from '#contract/console/workspaces.ts'
import type { ProblemError } from '#contract/problem.ts'
import { paths } from '#domain/paths.ts'
import { RelativeTime } from '../../components/data/RelativeTime.tsx'
import { type TableColumn, Table } from '../../components/data/Table.tsx'
import { call } from '../../client/http.ts'
import { parseBoard } from './board.ts'
import { BoardMenu, RenameBoard } from './BoardMenu.tsx'
import { addToBoard, type BoardAddition, createBoardFor } from './boardCreation.ts'
import { IconPlus } from '@tabler/icons-react'
import { InlineForm } from '../../components/forms/InlineForm.tsx'
import { useContractForm } from '../../components/forms/useContractForm.ts'

/** `/compare`: the boards of the workspace; with a run or an app in the URL, the board to add it to. */
export function BoardsPage() {
  const t = useMessages(boardMessages)
  const { get } = useSearchParamState()
  const { workspace, workspaces, isLoading, problem: workspaceProblem, retry } = useWorkspace()
  const list = useRead(
    savedItemEndpoints.listSavedItems,
    { query: { kind: 'board', workspace: workspace?.id ?? '' } },
    { enabled: Boolean(workspace) },
  )
  const boards = list.data?.data
  const run = get('run') ?? null
  const app = findApp(workspaces, get('with') ?? null)
  const canSave = usePermission()(savedItemEndpoints.createSavedItem)
  const addition = canSave && (run !== null || app !== null) ? { run, app: app?.key.id ?? null } : null
  const tags = { run: () => <code>{run?.slice(0, 8)}</code>, app: app?.key.label ?? '' }
  const create =
    workspace && canSave ? (
      <CreateArea>
        {addition ? (
          <Box
            px="md"
            py="sm"
            bd="1px solid var(--primary-line)"
            bdrs="md"
            bg="var(--primary-tint)"
            fz={13}
            role="status"
          >
            {t.rich(run === null ? 'putApp' : app === null ? 'putRun' : 'putBoth', tags)}
          </Box>
        ) : null}
        <CreateBoard
          key={`${run}${app?.key.id}`}
          workspace={workspace.id}
          addition={addition}
          name={
            run !== null
              ? t('comparedRun', { id: run.slice(0, 8) })
              : app
                ? truncateText(t('comparedApp', { app: app.key.label }), 120)
                : ''
          }
        />
      </CreateArea>
    ) : null
  const skeleton = (
    <>
      {canSave ? <CreateArea /> : null}
      <BoardsTable boards={undefined} workspaces={workspaces} addition={addition} />
    </>
  )
  return (
    <Page
      title={t('compare')}
      titleSuffix={
        boards && boards.length > 0 ? (
          <Text c="var(--text-3)" fz={13}>
            {boards.length.toLocaleString('en')}
          </Text>
        ) : null
      }
    >
      <title>{`${t('compare')} · Loupe`}</title>
      {workspaceProblem ? (
        <Box maw={720} p="lg">
          <ProblemAlert problem={workspaceProblem} action={t('listWorkspaces')} onRetry={retry} />
        </Box>
      ) : null}
      {!workspace && !isLoading && !workspaceProblem ? (
        <EmptyState title={t('noWorkspace')}>{t('noWorkspaceText')}</EmptyState>
      ) : null}
      {isLoading ? (
        skeleton
      ) : (
        <ReadBoundary
          read={list}
          action={t('listWhat')}
          isInset
          loading={skeleton}
          isEmpty={({ data }) => data.length === 0}
          empty={
            <EmptyState title={t('emptyTitle')} actions={create}>
              {t('emptyText')}
            </EmptyState>
          }
        >
          {({ data }) => (
            <>
              {create}
              <BoardsTable boards={data} workspaces={workspaces} addition={addition} />
            </>
          )}
        </ReadBoundary>
      )}
    </Page>
  )
}

/** Above the boards: as high as one row of controls, also while the boards are still to come. */
function CreateArea({ children }: { children?: ReactNode }) {
  return (
    <Stack gap="sm" maw={720} mih={60} px="lg" py="md">
      {children}
    </Stack>
  )
}

interface BoardsTableProps {
  /** Undefined while they are still to come. */
  boards: readonly SavedItem[] | undefined
  workspaces: readonly Workspace[]
  /** To add to the chosen board, instead of opening it. */
  addition: BoardAddition | null
}

/** The boards of a workspace, newest first. */
function BoardsTable({ boards, workspaces, addition }: BoardsTableProps) {
  const t = useMessages(boardMessages)
  const navigate = useNavigate()
  const [renamed, rename] = useState<string | null>(null)
  const client = useQueryClient()
  const open = ({ id, workspace }: SavedItem) => void navigate(paths.board(id, { workspace }))
  const update = useMutation<SavedItem, ProblemError, { id: string; what: BoardAddition }>({
    // To the current board: others may have changed it since it was listed.
    mutationFn: async ({ id, what }) => {
      const params = { saved_item_id: id }
      const { value, updated_at: read_at } = await call(savedItemEndpoints.readSavedItem, { params })
      const body = { value: addToBoard(parseBoard(value), what), read_at }
      return call(savedItemEndpoints.updateSavedItem, { params, body })
    },
    onSuccess: (savedBoard) => {
      void invalidateTags(client, savedItemEndpoints.updateSavedItem.tags)
      open(savedBoard)
    },
  })
  const columns: TableColumn<SavedItem>[] = [
    {
      header: t('board'),
      grows: true,
      cell: ({ id, name, workspace }) => (
        <Link to={paths.board(id, { workspace })} dir="auto">
          {name}
        </Link>
      ),
    },
    {
      header: t('cells'),
      cell: ({ value }) => {
        const { cells } = parseBoard(value)
        const names = cells.map(({ key }) => findApp(workspaces, key)?.key.label ?? t('finishedRun'))
        return (
          <Text fz="inherit" maw={320} truncate title={names.join(', ')}>
            {t('cellCount', { count: cells.length })}{' '}
            <Text span c="var(--text-3)" fz="xs">
              {[...new Set(names)].join(', ')}
            </Text>
          </Text>
        )
      },
    },
    { header: t('person'), cell: ({ person }) => person },
    { header: t('changedAt'), isNumeric: true, cell: ({ updated_at }) => <RelativeTime at={updated_at} /> },
    {
      header: t('actions'),
      cell: (savedBoard) => {
        const freeCells = MAX_BOARD_CELLS - parseBoard(savedBoard.value).cells.length
        const neededCells = Number(addition?.run != null) + Number(addition?.app != null)
        if (!addition)
          return <BoardMenu savedBoard={savedBoard} onRename={() => rename(savedBoard.id)} onCopied={() => undefined} />
        return (
          <Button
            variant="default"
            size="compact-xs"
            aria-label={freeCells < neededCells ? undefined : t('putOn', { name: savedBoard.name })}
            disabled={freeCells < neededCells}
            loading={update.isPending}
            onClick={() => update.mutate({ id: savedBoard.id, what: addition })}
          >
            {freeCells < neededCells ? t('full') : t('put')}
          </Button>
        )
      },
    },
  ]
  const renamedBoard = boards?.find(({ id }) => id === renamed)
  return (
    <>
      {renamedBoard ? (
        <RenameBoard key={renamedBoard.id} savedBoard={renamedBoard} onDone={() => rename(null)} />
      ) : null}
      {update.error ? (
        <Box maw={720} p="lg">
          <ProblemAlert problem={update.error.problem} action={t('putWhat')} />
        </Box>
      ) : null}
      <Table
        label={t('boards')}
        columns={columns}
        rows={boards}
        getKey={({ id }) => id}
        isCurrent={({ id }) => id === renamed}
      />
    </>
  )
}

interface CreateBoardProps {
  workspace: string
  /** The first content of the board. */
  addition: BoardAddition | null
  name: string
}

/** A board of its own, with what was brought along. */
function CreateBoard({ workspace, addition, name }: CreateBoardProps) {
  const t = useMessages(boardMessages)
  const navigate = useNavigate()
  const create = useWrite(savedItemEndpoints.createSavedItem)
  const form = useContractForm({
    schema: savedItemEndpoints.createSavedItem.body.pick({ name: true }),
    initialValues: { name },
    toBody: (values) => ({ name: values.name.trim() }),
    send: async (body) => {
      const value = await createBoardFor(addition ?? { run: null, app: null })
      return create.mutateAsync({ body: { ...body, kind: 'board', workspace, value } })
    },
    onDone: ({ id }) => void navigate(paths.board(id, { workspace })),
  })
  const draftName = useWatch({ control: form.form.control, name: 'name' })
  return (
    <InlineForm form={form} layout="row" label={t('newBoard')} action={t('createWhat')}>
      <TextInput
        {...form.field('name')}
        label={undefined}
        flex="1 1 200px"
        aria-label={t('nameOfBoard')}
        placeholder={t('nameOfBoard')}
        maxLength={120}
        autoComplete="off"
      />
      <Button
        type="submit"
        leftSection={<IconPlus size={14} />}
        loading={form.isPending}
        disabled={draftName.trim() === ''}
      >
        {t('newBoard')}
      </Button>
    </InlineForm>
  )
}
