import { Button, Menu, NativeSelect, SegmentedControl } from '@mantine/core'
import { IconRepeat, IconSend } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useSearchParamState } from '../../components/hooks/useSearchParamState.ts'
import { useMessages } from '../../components/i18n/useMessages.ts'
import classes from './Board.module.css'
import { boardMessages } from './messages.ts'
import { StopAllRuns } from './StopAllRuns.tsx'
import type { BoardRuns } from './rounds/useBoardRuns.ts'

export interface BoardToolbarProps {
  /** The largest number of rounds of a cell. */
  rounds: number
  boardRuns: BoardRuns
  /** The controls that add a cell; null where nobody may, or where the empty board has them. */
  addControls: ReactNode
}

const ROUND_COUNTS = [1, 2, 3, 5, 9]

/** The toolbar above the cells: view, add, stop. */
export function BoardToolbar({ rounds, boardRuns, addControls }: BoardToolbarProps) {
  const t = useMessages(boardMessages)
  const { get, set } = useSearchParamState()
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
              <Menu.Item key={count} onClick={() => void boardRuns.add(count)}>
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
        <p className={classes.lost} role="status">
          {t('tooMany', { count: boardRuns.refusedRounds })}
          <Button
            variant="default"
            leftSection={<IconRepeat size={14} />}
            onClick={() => void boardRuns.rerunRefused()}
          >
            {t('rerunRefused')}
          </Button>
        </p>
      ) : null}
      {boardRuns.lostRounds > 0 ? (
        <p className={classes.lost} role="status">
          {t('notSentMore', { count: boardRuns.lostRounds })}
          <Button variant="default" leftSection={<IconSend size={14} />} onClick={boardRuns.sendRemaining}>
            {t('sendRest')}
          </Button>
        </p>
      ) : null}
    </div>
  )
}
