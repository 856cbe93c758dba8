import { Button, Menu, NativeSelect } from '@mantine/core'
import { IconRepeat, IconSend } from '@tabler/icons-react'
import type { Workspace } from '#contract/console.ts'
import { SegmentedControl } from '../../ui/SegmentedControl.tsx'
import { useListState } from '../../ui/useListState.ts'
import { useWords } from '../../ui/words.ts'
import { AddCell } from './AddCell.tsx'
import classes from './Board.module.css'
import { compareWords } from './messages.ts'
import { StopAll } from './StopAll.tsx'
import type { BoardRuns } from './useBoardRuns.ts'

export interface BoardBarProps {
  workspaces: readonly Workspace[]
  isFull: boolean
  /** The most rounds that a cell has. */
  rounds: number
  sent: BoardRuns
  mayAdd: boolean
  onApp: (key: string) => void
  onRunId: (run_id: string) => void
}

const ROUNDS = [1, 2, 3, 5, 9]

/** Over the cells: what is looked at, what is added, what is stopped. */
export function BoardBar({ workspaces, isFull, rounds, sent, mayAdd, onApp, onRunId }: BoardBarProps) {
  const t = useWords(compareWords)
  const { get, set } = useListState()
  return (
    <div className={classes.bar}>
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
      {mayAdd ? <AddCell workspaces={workspaces} isFull={isFull} onApp={onApp} onRun={onRunId} /> : null}
      {sent.room > 0 ? (
        <Menu position="bottom-start">
          <Menu.Target>
            <Button variant="default" leftSection={<IconRepeat size={14} />} title={t('addRoundsWhy')}>
              {t('addRounds')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {ROUNDS.filter((count) => count <= sent.room).map((count) => (
              <Menu.Item key={count} onClick={() => void sent.add(count)}>
                {t('moreRounds', { count })}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      ) : null}
      {sent.isGoing ? <StopAll going={sent.going} onHold={sent.hold} /> : null}
      {sent.lost > 0 ? (
        <p className={classes.lost} role="status">
          {t('notSentMore', { count: sent.lost })}
          <Button variant="default" leftSection={<IconSend size={14} />} onClick={sent.rest}>
            {t('sendRest')}
          </Button>
        </p>
      ) : null}
    </div>
  )
}
