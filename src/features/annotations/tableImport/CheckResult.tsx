import { Checkbox, Group, Text } from '@mantine/core'
import { IconAlertOctagonFilled, IconCircleCheckFilled, IconCopy, type Icon as TablerIcon } from '@tabler/icons-react'
import { VList } from 'virtua'
import { isBlocking } from '#domain/tables/table.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { formatFieldError } from '../../runs/inputs/inputFields.ts'
import { inputMessages } from '../../runs/inputs/messages.ts'
import classes from './TableImport.module.css'
import type { RowError, TableFieldError } from './rowCheck.ts'
import { tableImportMessages } from './messages.ts'
import type { SkippedRows } from './tableWorker.ts'
import type { ImportTable } from './useImportTable.ts'

/** The validation result: whether every row can be sent, each error with its row and column, and each repeated row. */
export function CheckResult(imported: ImportTable) {
  const t = useMessages(tableImportMessages)
  const tRun = useMessages(inputMessages)
  const { table, checked, isBroken } = imported
  if (!table) return null
  const { problems, workbook, formulas } = table
  const formatError = (error: RowError['error']) =>
    isTableError(error)
      ? t(`errors.${error.key}`, { label: error.label, given: error.given ?? '', max: error.max ?? 0 })
      : formatFieldError(tRun, error)
  const notes = [
    ...problems.filter((problem) => !isBlocking(problem)).map(({ message }) => message),
    ...(workbook && workbook.formulas.count > 0 ? [t('note.savedResults', workbook.formulas)] : []),
    ...(formulas ? [t('note.formulas', formulas)] : []),
  ]
  return (
    <>
      {notes.map((note) => (
        <Text key={note} fz="sm" c="var(--interrupted-fg)">
          {note}
        </Text>
      ))}
      {problems.filter(isBlocking).map(({ message }) => (
        <Verdict key={message} role="alert" color="var(--failed-fg)" Icon={IconAlertOctagonFilled} text={message} />
      ))}
      {isBroken ? null : !checked ? (
        <Text role="status" fz="sm" c="dimmed">
          {t('checking')}
        </Text>
      ) : checked.invalidRows === 0 ? (
        <Verdict
          color="var(--succeeded-fg)"
          Icon={IconCircleCheckFilled}
          text={t('noProblems', { good: checked.validRows })}
        />
      ) : (
        <>
          <Verdict
            color="var(--failed-fg)"
            Icon={IconAlertOctagonFilled}
            text={t('problemCount', { good: checked.validRows, bad: checked.invalidRows })}
          />
          <RowList
            {...imported}
            label={t('errorCount', { n: checked.totalErrors })}
            lines={checked.errors}
            count={checked.totalErrors}
            listTexts={({ column, error }) => [column === null ? null : t('column', { column }), formatError(error)]}
            skipKey={checked.validRows > 0 ? 'skipFaulty' : null}
          />
        </>
      )}
      {checked && !isBroken && checked.duplicateRows > 0 ? (
        <>
          <Verdict
            color="var(--interrupted-fg)"
            Icon={IconCopy}
            text={t('duplicateCount', { n: checked.duplicateRows })}
          />
          <RowList
            {...imported}
            label={t('duplicateCount', { n: checked.duplicateRows })}
            lines={checked.duplicates}
            count={checked.duplicateRows}
            listTexts={({ of, isSame, key }) => [
              of === null
                ? t(isSame ? 'existsSame' : 'existsOther')
                : t(isSame ? 'repeatsSame' : 'repeatsOther', { row: of }),
              key,
            ]}
            skipKey="skipDuplicates"
          />
        </>
      ) : null}
    </>
  )
}

interface VerdictProps {
  role?: 'status' | 'alert'
  color: string
  Icon: TablerIcon
  text: string
}

const Verdict = ({ role = 'status', color, Icon, text }: VerdictProps) => (
  <Group role={role} gap="xs" wrap="nowrap" fz="sm" c={color}>
    <Icon size={15} aria-hidden="true" /> {text}
  </Group>
)

const isTableError = (error: RowError['error']): error is TableFieldError => error.key in tableImportMessages.errors

interface RowListProps<Line> extends Pick<ImportTable, 'skipped' | 'skip'> {
  label: string
  lines: readonly Line[]
  count: number
  listTexts: (line: Line) => (string | null)[]
  /** Null where these rows cannot be skipped. */
  skipKey: keyof SkippedRows | null
}

const LINE_HEIGHT_PX = 28
const MAX_VISIBLE_LINES = 9

function RowList<Line extends { row: number }>({ lines, count, listTexts, skipKey, ...props }: RowListProps<Line>) {
  const t = useMessages(tableImportMessages)
  return (
    <>
      <VList
        className={classes.faults}
        style={{ height: `calc(${Math.min(lines.length, MAX_VISIBLE_LINES)} * var(--line-height))` }}
        role="list"
        aria-label={props.label}
        tabIndex={0}
        itemSize={LINE_HEIGHT_PX}
        data={lines}
      >
        {(line, index) => (
          <div key={index} role="listitem" className={classes.fault}>
            <b>{t('row', { row: line.row })}</b>
            {listTexts(line).map((text, at) =>
              text === null ? null : (
                <span key={at} dir="auto">
                  {text}
                </span>
              ),
            )}
          </div>
        )}
      </VList>
      {lines.length < count ? (
        <Text fz="sm" c="dimmed">
          {t('rowsShown', { shown: lines.length, count })}
        </Text>
      ) : null}
      {skipKey ? (
        <Checkbox
          size="xs"
          label={t(skipKey)}
          checked={props.skipped[skipKey]}
          onChange={(event) => props.skip({ [skipKey]: event.currentTarget.checked })}
        />
      ) : null}
    </>
  )
}
