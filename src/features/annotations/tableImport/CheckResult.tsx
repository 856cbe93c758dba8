import { Checkbox } from '@mantine/core'
import { IconAlertOctagonFilled, IconCircleCheckFilled } from '@tabler/icons-react'
import { VList } from 'virtua'
import { isBlocking } from '#domain/tables/table.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { formatFieldError } from '../../runs/inputs/formatFieldError.ts'
import { inputMessages } from '../../runs/inputs/messages.ts'
import classes from './TableImport.module.css'
import { isTableError, type RowError } from './rowCheck.ts'
import { tableImportMessages } from './messages.ts'
import type { TableCheck, TableRead } from './tableWorkerMessages.ts'

export interface CheckResultProps {
  table: TableRead
  checked: TableCheck | null
  skipsInvalid: boolean
  onSkipInvalid: (leavesOut: boolean) => void
}

const LINE_HEIGHT_PX = 28
const MAX_VISIBLE_LINES = 9

/** The validation result: whether every row can be sent, and each error with its row and column. */
export function CheckResult({ table, checked, skipsInvalid, onSkipInvalid }: CheckResultProps) {
  const t = useMessages(tableImportMessages)
  const tRun = useMessages(inputMessages)
  const formatRowError = ({ error }: RowError) =>
    isTableError(error)
      ? t(`errors.${error.key}`, { label: error.label, given: error.given ?? '', max: error.max ?? 0 })
      : formatFieldError(tRun, error)
  const notes = table.problems.filter(({ kind }) => kind === 'repeated_head')
  const tableErrors = table.problems.filter(isBlocking)
  const rowProblems = table.problems.flatMap(({ row, message }) =>
    row === undefined ? [] : [{ row, column: null, words: message }],
  )
  const lines = [
    ...rowProblems,
    ...(checked?.errors ?? []).map((error) => ({ row: error.row, column: error.column, words: formatRowError(error) })),
  ].sort((one, other) => one.row - other.row)
  const total = rowProblems.length + (checked?.totalErrors ?? 0)
  return (
    <>
      {notes.map(({ message }) => (
        <p key={message} className={classes.notice}>
          {message}
        </p>
      ))}
      {table.workbook && table.workbook.formulas.count > 0 ? (
        <p className={classes.notice}>{t('note.savedResults', table.workbook.formulas)}</p>
      ) : null}
      {table.formulas ? <p className={classes.notice}>{t('note.formulas', table.formulas)}</p> : null}
      {tableErrors.map(({ message }) => (
        <p key={message} className={classes.wrong} role="alert">
          <IconAlertOctagonFilled size={15} aria-hidden="true" /> {message}
        </p>
      ))}
      {tableErrors.length > 0 ? null : !checked ? (
        <p role="status" className={classes.why}>
          {t('checking')}
        </p>
      ) : checked.invalidRows === 0 ? (
        <p role="status" className={classes.good}>
          <IconCircleCheckFilled size={15} aria-hidden="true" /> {t('noProblems', { good: checked.validRows })}
        </p>
      ) : (
        <>
          <p role="status" className={classes.wrong}>
            <IconAlertOctagonFilled size={15} aria-hidden="true" />{' '}
            {t('problemCount', { good: checked.validRows, bad: checked.invalidRows })}
          </p>
          <VList
            className={classes.faults}
            style={{ height: Math.min(lines.length, MAX_VISIBLE_LINES) * LINE_HEIGHT_PX }}
            role="list"
            aria-label={t('errorCount', { n: total })}
            tabIndex={0}
            itemSize={LINE_HEIGHT_PX}
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
            <p className={classes.why}>{t('errorsShown', { shown: lines.length, total })}</p>
          ) : null}
          {checked.validRows > 0 ? (
            <Checkbox
              size="xs"
              label={t('leaveOut')}
              checked={skipsInvalid}
              onChange={(event) => onSkipInvalid(event.currentTarget.checked)}
            />
          ) : null}
        </>
      )}
    </>
  )
}
