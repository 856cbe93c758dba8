import { Box, Button, Flex, Group, Menu, NativeSelect, SegmentedControl, Text, TextInput } from '@mantine/core'
import { IconRepeat, IconSend, IconPlayerStop } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { z } from 'zod'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { InlineForm } from '../../components/forms/InlineForm.tsx'
import { useContractForm } from '../../components/forms/useContractForm.ts'
import { useSearchParamState } from '../../components/hooks/useSearchParamState.ts'
import { useMessages } from '../../components/i18n/useMessages.ts'
import classes from './Board.module.css'
import { boardMessages } from './messages.ts'
import type { BoardRuns, RunningRound } from './rounds/useBoardRuns.ts'
import { type Problem, ProblemError } from '#contract/problem.ts'
import { optionalAppEndpoints } from '#contract/platform/optionalApps.ts'
import type { Workspace } from '#contract/console/workspaces.ts'
import { call } from '../../client/http.ts'
import { Id } from '#contract/endpoint.ts'
import { toAppOptions } from './appOptions.ts'

export interface BoardToolbarProps {
  /** The largest number of rounds of a cell. */
  rounds: number
  boardRuns: BoardRuns
  /** The controls that add a cell; null without permission, or if the empty board has them. */
  addControls: ReactNode
}

const ROUND_COUNTS = [1, 2, 3, 5, 9]

/** The toolbar above the cells: view, add, stop. */
export function BoardToolbar({ rounds, boardRuns, addControls }: BoardToolbarProps) {
  const t = useMessages(boardMessages)
  const { get, set } = useSearchParamState()
  return (
    <Group gap="sm" mb="md">
      {rounds > 0 ? (
        <SegmentedControl
          size="xs"
          aria-label={t('view')}
          value={get('show') === 'differences' ? 'differences' : 'answers'}
          onChange={(show) => set({ show: show === 'differences' ? show : null }, { replace: true })}
          data={[
            { value: 'answers', label: t('answers') },
            { value: 'differences', label: t('differences') },
          ]}
        />
      ) : null}
      {rounds > 1 ? (
        <NativeSelect
          aria-label={t('allRounds')}
          value={get('round') ?? ''}
          onChange={(event) => set({ round: event.currentTarget.value || null }, { replace: true })}
          data={[
            { value: '', label: t('newest') },
            ...Array.from({ length: rounds }, (_, index) => ({
              value: String(index + 1),
              label: t('round', { number: index + 1 }),
            })),
          ]}
        />
      ) : null}
      {addControls}
      {boardRuns.freeRounds > 0 ? (
        <Menu position="bottom-start">
          <Menu.Target>
            <Button variant="default" leftSection={<IconRepeat size={14} />} title={t('addRoundsWhy')}>
              {t('addRounds')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {ROUND_COUNTS.filter((count) => count <= boardRuns.freeRounds).map((count) => (
              <Menu.Item key={count} onClick={() => boardRuns.add(count)}>
                {t('moreRounds', { count })}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      ) : null}
      {boardRuns.isRunning ? (
        <StopAllRuns getRunningRounds={boardRuns.getRunningRounds} onCancelQueued={boardRuns.cancelQueued} />
      ) : null}
      {boardRuns.refusedRounds > 0 ? (
        <RoundsNote>
          {t('tooMany', { count: boardRuns.refusedRounds })}
          <Button variant="default" leftSection={<IconRepeat size={14} />} onClick={boardRuns.rerunRefused}>
            {t('rerunRefused')}
          </Button>
        </RoundsNote>
      ) : null}
      {boardRuns.lostRounds > 0 ? (
        <RoundsNote>
          {t('notSentMore', { count: boardRuns.lostRounds })}
          {boardRuns.problem ? <Text fz="inherit">{boardRuns.problem.message}</Text> : null}
          <Button variant="default" leftSection={<IconSend size={14} />} onClick={boardRuns.sendRemaining}>
            {t('sendRest')}
          </Button>
        </RoundsNote>
      ) : boardRuns.problem && boardRuns.isRunning ? (
        <RoundsNote>{boardRuns.problem.message}</RoundsNote>
      ) : null}
      {boardRuns.changeProblem ? (
        <Box flex="1 0 100%">
          <ProblemAlert problem={boardRuns.changeProblem} action={t('changeRounds')} />
        </Box>
      ) : null}
    </Group>
  )
}

/** Rounds that did not run, with the button that sends them. */
const RoundsNote = ({ children }: { children: ReactNode }) => (
  <Flex
    flex="1 0 100%"
    wrap="wrap"
    align="center"
    gap="sm"
    px="md"
    py="sm"
    bd="1px solid var(--interrupted-solid)"
    bdrs="md"
    fz={13}
    role="status"
  >
    {children}
  </Flex>
)

/** Stops every run of the board if the platform supports it, and cancels pending rounds. */
export function StopAllRuns({
  getRunningRounds,
  onCancelQueued,
}: {
  getRunningRounds: () => RunningRound[]
  onCancelQueued: () => void
}) {
  const t = useMessages(boardMessages)
  const [isStopping, setStopping] = useState(false)
  const [stopProblems, setStopProblems] = useState<Problem[]>([])
  const stop = async () => {
    onCancelQueued()
    setStopping(true)
    const roundsToStop = await Promise.all(
      getRunningRounds().map(({ key, stopEntry, task_id, user }) =>
        call(optionalAppEndpoints[stopEntry], { key: key.id, params: { task_id }, body: { user } }).then(
          () => null,
          (error: unknown) => {
            if (!(error instanceof ProblemError)) throw error
            return error.problem
          },
        ),
      ),
    )
    setStopping(false)
    setStopProblems(roundsToStop.filter((problem) => problem !== null))
  }
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconPlayerStop size={14} />}
        loading={isStopping}
        title={t('stopAllWhy')}
        onClick={() => void stop()}
      >
        {t('stopAll')}
      </Button>
      {stopProblems[0] ? (
        <Text flex="1 0 100%" c="var(--failed-fg)" fz="sm" role="alert">
          {t('stopRefused', { count: stopProblems.length, reason: stopProblems[0].message })}
        </Text>
      ) : null}
    </>
  )
}

export interface AddCellProps {
  workspaces: readonly Workspace[]
  isFull: boolean
  onApp: (key: string) => void
  onRun: (run_id: string) => void
}

/** One cell more: an app of any workspace, or a finished run by its id. */
export function AddCell({ workspaces, isFull, onApp, onRun }: AddCellProps) {
  const t = useMessages(boardMessages)
  const form = useContractForm({
    schema: z.object({
      // An id may come with the address around it.
      run: z
        .string()
        .transform((text) => /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i.exec(text)?.[0].toLowerCase())
        .refine((id) => Id.safeParse(id).success, t('noRunId')),
    }),
    initialValues: { run: '' },
    send: ({ run }) => onRun(run ?? ''),
    onDone: () => form.discard(),
  })
  if (isFull)
    return (
      <Text ms="auto" c="dimmed" fz="sm">
        {t('fullBoard')}
      </Text>
    )
  return (
    <section className={classes.add} aria-label={t('addCell')}>
      <NativeSelect
        aria-label={t('addApp')}
        value=""
        data={[{ value: '', label: t('addApp') }, ...toAppOptions(workspaces)]}
        onChange={(event) => {
          if (event.currentTarget.value !== '') onApp(event.currentTarget.value)
        }}
      />
      <InlineForm
        form={form}
        layout="row"
        action={t('addRun')}
        buttons={
          <Button type="submit" variant="default" loading={form.isPending}>
            {t('add')}
          </Button>
        }
      >
        <TextInput
          {...form.field('run')}
          label={undefined}
          flex={1}
          aria-label={t('addRun')}
          placeholder={t('addRun')}
          maxLength={500}
          autoComplete="off"
          spellCheck={false}
        />
      </InlineForm>
    </section>
  )
}
