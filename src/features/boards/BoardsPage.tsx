import { savedItemEndpoints, type SavedItem } from '#contract/console/savedItems.ts'
import { EmptyState } from '../../components/layout/EmptyState.tsx'
import { Page } from '../../components/layout/Page.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { useSearchParamState } from '../../components/hooks/useSearchParamState.ts'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { useRead, invalidateTags, useWrite } from '../../client/query.ts'
import { useWorkspace } from '../../client/useWorkspace.ts'
import { findApp } from './appOptions.ts'
import { boardMessages } from './messages.ts'
import { usePermission } from '../../client/usePermission.ts'
import { truncateText } from '#contract/truncatedText.ts'
import { Box, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { Link, useNavigate } from 'react-router'
import type { Workspace } from '#contract/console/workspaces.ts'
import { ProblemError, type Problem } from '#contract/problem.ts'
import { paths } from '#domain/paths.ts'
import { RelativeTime } from '../../components/data/RelativeTime.tsx'
import { type TableColumn, Table } from '../../components/data/Table.tsx'
import { call } from '../../client/http.ts'
import { parseBoard, MAX_CELLS } from './board.ts'
import { BoardDialog, BoardMenu } from './BoardMenu.tsx'
import { addToBoard, type BoardAddition, createBoardFor } from './boardCreation.ts'
import { IconPlus } from '@tabler/icons-react'
import { useWhileMounted } from '../../components/hooks/useWhileMounted.ts'

/** `/compare`: the boards of the workspace; with a run or an app in the URL, where that is to stand. */
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
  const problem = workspaceProblem ?? (boards ? undefined : list.error?.problem)
  const run = get('run') ?? null
  const app = findApp(workspaces, get('with') ?? null)
  const canSave = usePermission()(savedItemEndpoints.createSavedItem)
  const addition = canSave && (run !== null || app !== null) ? { run, app: app?.key.id ?? null } : null
  const tags = { run: () => <code>{run?.slice(0, 8)}</code>, app: app?.key.label ?? '' }
  const create =
    workspace && boards && canSave ? (
      <>
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
      </>
    ) : null
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
      {problem ? (
        <Box maw={720} p="lg">
          <ProblemAlert
            problem={problem}
            action={t(workspaceProblem ? 'listWorkspaces' : 'listWhat')}
            onRetry={() => (workspaceProblem ? retry() : void list.refetch())}
          />
        </Box>
      ) : null}
      {!workspace && !isLoading && !workspaceProblem ? (
        <EmptyState title={t('noWorkspace')}>{t('noWorkspaceText')}</EmptyState>
      ) : null}
      {boards?.length === 0 ? (
        <EmptyState
          title={t('emptyTitle')}
          actions={
            create ? (
              <Stack gap="sm" maw={720} mih={60} px="lg" py="md">
                {create}
              </Stack>
            ) : null
          }
        >
          {t('emptyText')}
        </EmptyState>
      ) : null}
      {(isLoading || workspace) && !problem && boards?.length !== 0 ? (
        <>
          {canSave ? (
            <Stack gap="sm" maw={720} mih={60} px="lg" py="md">
              {create}
            </Stack>
          ) : null}
          <BoardsTable boards={boards} workspaces={workspaces} addition={addition} />
        </>
      ) : null}
    </Page>
  )
}

export interface BoardsTableProps {
  /** Undefined while they are still to come. */
  boards: readonly SavedItem[] | undefined
  workspaces: readonly Workspace[]
  /** What is to be put on one of them, in place of opening it. */
  addition: BoardAddition | null
}

/** The boards of a workspace, newest first. */
export function BoardsTable({ boards, workspaces, addition }: BoardsTableProps) {
  const t = useMessages(boardMessages)
  const navigate = useNavigate()
  const [dialogBoard, openDialog] = useState<{ id: string; asks: 'name' | 'delete' } | null>(null)
  const client = useQueryClient()
  const open = ({ id, workspace }: SavedItem) => void navigate(paths.board(id, { workspace }))
  const update = useMutation<SavedItem, ProblemError, { id: string; what: BoardAddition }>({
    // To the board as it is now: others may have changed it since it was listed.
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
            <Text span inherit c="var(--text-3)">
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
        const freeCells = MAX_CELLS - parseBoard(savedBoard.value).cells.length
        const neededCells = Number(addition?.run != null) + Number(addition?.app != null)
        if (!addition)
          return (
            <BoardMenu
              savedBoard={savedBoard}
              onAsk={(dialog) => openDialog({ id: savedBoard.id, asks: dialog })}
              onCopied={() => undefined}
            />
          )
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
  const selectedBoard = boards?.find(({ id }) => id === dialogBoard?.id)
  return (
    <>
      {selectedBoard && dialogBoard ? (
        <BoardDialog
          key={`${dialogBoard.id}${dialogBoard.asks}`}
          savedBoard={selectedBoard}
          dialog={dialogBoard.asks}
          onDone={() => openDialog(null)}
        />
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
        isCurrent={({ id }) => id === dialogBoard?.id}
      />
    </>
  )
}

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
      <form onSubmit={(event) => void submit(event)} aria-label={t('newBoard')}>
        <Group gap="sm">
          <TextInput
            flex="1 1 200px"
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
        </Group>
      </form>
      {problem ? <ProblemAlert problem={problem} action={t('createWhat')} /> : null}
    </>
  )
}
