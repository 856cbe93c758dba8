import { Button, Kbd, NativeSelect, TextInput } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import { SegmentedControl } from '../../ui/SegmentedControl.tsx'
import type { Faults } from '../../run/inputs.ts'
import { runWords } from '../../run/messages.ts'
import { ResponseMode } from '../../run/ResponseMode.tsx'
import type { UploadTarget } from '../../run/useUpload.ts'
import { MOD_KEY } from '../../ui/modKey.ts'
import { useWords } from '../../ui/words.ts'
import { AskedFields } from './AskedFields.tsx'
import { type Asked, type Board, MOST_ROUNDS, within } from './board.ts'
import classes from './Board.module.css'
import { compareWords } from './messages.ts'
import type { AppForm } from './request.ts'

export interface AskPaneProps {
  board: Board
  /** The forms of the cells that are asked what all are asked. */
  forms: readonly AppForm[]
  /** How many cells a press of Run asks. */
  cells: number
  isReady: boolean
  defaultUser: string
  upload: UploadTarget | null
  faults: Faults
  /** How many cells lack something, after a press that sent nothing. */
  lacking: number
  onAsked: (change: Partial<Asked>) => void
  onBoard: (change: Partial<Board>) => void
  onRun: () => void
}

/** What all cells are asked, how often, as whom. */
export function AskPane(props: AskPaneProps) {
  const { board, forms, cells, isReady, defaultUser, upload, faults, lacking } = props
  const { onAsked, onBoard, onRun } = props
  const t = useWords(compareWords)
  const say = useWords(runWords)
  return (
    <form
      className={classes.ask}
      aria-label={t('asked')}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady) onRun()
      }}
    >
      <div className={classes.fields}>
        {forms.length === 0 ? <p className={classes.note}>{t('noApp')}</p> : null}
        <AskedFields forms={forms} asked={board.asked} onAsked={onAsked} faults={faults} upload={upload} />
        {cells > 0 ? (
          <>
            <TextInput
              label={say('user')}
              description={say('userWhy')}
              maxLength={255}
              value={board.user ?? defaultUser}
              onChange={(event) => onBoard({ user: event.currentTarget.value })}
            />
            <ResponseMode value={board.response_mode} onChange={(response_mode) => onBoard({ response_mode })} />
          </>
        ) : null}
      </div>
      {cells > 0 ? (
        <div className={classes.foot}>
          {lacking > 0 ? (
            <p className={classes.lack} role="alert">
              {t('notAsked', { cells: lacking })}
            </p>
          ) : null}
          {board.repeat > 1 ? (
            <div className={classes.pace}>
              <SegmentedControl
                size="xs"
                aria-label={t('pace')}
                value={board.pace}
                onChange={(pace) => onBoard({ pace })}
                data={[
                  { value: 'one_by_one', label: t('oneByOne') },
                  { value: 'at_once', label: t('atOnce') },
                ]}
              />
              <p className={classes.note}>{t(board.pace === 'at_once' ? 'atOnceWhy' : 'oneByOneWhy')}</p>
            </div>
          ) : null}
          <label className={classes.repeat}>
            {t('repeat')}
            <NativeSelect
              value={String(board.repeat)}
              onChange={(event) => onBoard({ repeat: within(Number(event.currentTarget.value)) })}
              data={Array.from({ length: MOST_ROUNDS }, (_, index) => String(index + 1))}
            />
          </label>
          <span className={classes.keys} title={t('runHint')}>
            <Kbd size="xs">{MOD_KEY}</Kbd> <Kbd size="xs">Enter</Kbd>
          </span>
          <Button type="submit" leftSection={<IconPlayerPlay size={14} />} disabled={!isReady}>
            {t('runCells', { count: cells })}
          </Button>
        </div>
      ) : null}
    </form>
  )
}
