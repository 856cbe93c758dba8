import { Checkbox } from '@mantine/core'
import { IconAlertOctagonFilled, IconCircleCheckFilled } from '@tabler/icons-react'
import { VList } from 'virtua'
import { useWords } from '../../ui/words.ts'
import { faultWords } from '../faultWords.ts'
import { runWords } from '../messages.ts'
import classes from './Make.module.css'
import { isOwn, type RowFault } from './check.ts'
import { tableWords } from './messages.ts'
import type { TableFault } from './parse.ts'
import type { TableChecked, TableRead } from './protocol.ts'

export interface CheckResultProps {
  table: TableRead
  checked: TableChecked | null
  leavesOut: boolean
  onLeaveOut: (leavesOut: boolean) => void
}

const LINE = 28
const LINES = 9

/** Whether every row can be sent, and all that keeps one from it, with its row and column. */
export function CheckResult({ table, checked, leavesOut, onLeaveOut }: CheckResultProps) {
  const t = useWords(tableWords)
  const run = useWords(runWords)
  const ofTable = (fault: TableFault) => t(`fault.${fault.key}`, fault.values)
  const ofRow = ({ fault }: RowFault) =>
    isOwn(fault)
      ? t(`fault.${fault.key}`, { label: fault.label, given: fault.given ?? '', max: fault.max ?? 0 })
      : faultWords(run, fault)
  const whole = table.faults.filter(({ row }) => row === undefined)
  const lines = [
    ...table.faults
      .filter(({ row }) => row !== undefined)
      .map((fault) => ({ row: fault.row ?? 0, column: null, words: ofTable(fault) })),
    ...(checked?.faults ?? []).map((fault) => ({ row: fault.row, column: fault.column, words: ofRow(fault) })),
  ].sort((one, other) => one.row - other.row)
  const total = table.faults.length - whole.length + (checked?.total ?? 0)
  return (
    <>
      {table.notes.map((note) => (
        <p key={`${note.key} ${note.column}`} className={classes.notice}>
          {t(`note.doubleHead`, { ...note.values, column: note.column ?? 0 })}
        </p>
      ))}
      {table.formulas ? <p className={classes.notice}>{t('note.formulas', table.formulas)}</p> : null}
      {whole.map((fault) => (
        <p key={fault.key} className={classes.wrong} role="alert">
          <IconAlertOctagonFilled size={15} aria-hidden="true" /> {ofTable(fault)}
        </p>
      ))}
      {whole.length > 0 ? null : !checked ? (
        <p role="status" className={classes.why}>
          {t('checking')}
        </p>
      ) : checked.bad === 0 ? (
        <p role="status" className={classes.good}>
          <IconCircleCheckFilled size={15} aria-hidden="true" /> {t('allGood', { good: checked.good })}
        </p>
      ) : (
        <>
          <p role="status" className={classes.wrong}>
            <IconAlertOctagonFilled size={15} aria-hidden="true" />{' '}
            {t('someBad', { good: checked.good, bad: checked.bad })}
          </p>
          <VList
            className={classes.faults}
            style={{ height: Math.min(lines.length, LINES) * LINE }}
            role="list"
            aria-label={t('faultsFound', { n: total })}
            tabIndex={0}
            itemSize={LINE}
            data={lines}
          >
            {(line, index) => (
              <div key={index} role="listitem" className={classes.fault}>
                <b>{t('row', { row: line.row })}</b>
                {line.column === null ? null : <span>{t('column', { column: line.column })}</span>}
                <span>{line.words}</span>
              </div>
            )}
          </VList>
          {lines.length < total ? (
            <p className={classes.why}>{t('faultsShown', { shown: lines.length, total })}</p>
          ) : null}
          {checked.good > 0 ? (
            <Checkbox
              size="xs"
              label={t('leaveOut')}
              checked={leavesOut}
              onChange={(event) => onLeaveOut(event.currentTarget.checked)}
            />
          ) : null}
        </>
      )}
    </>
  )
}
