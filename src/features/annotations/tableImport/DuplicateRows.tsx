import { Checkbox } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { VList } from 'virtua'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import classes from './TableImport.module.css'
import { tableImportMessages } from './messages.ts'
import type { TableCheck } from './tableWorkerMessages.ts'

export interface DuplicateRowsProps {
  checked: TableCheck
  skipsDuplicates: boolean
  onSkipDuplicates: (skips: boolean) => void
}

const LINE_HEIGHT_PX = 28
const MAX_VISIBLE_LINES = 6

/** The rows whose question exists already, each with where, and whether they are left out. */
export function DuplicateRows({ checked, skipsDuplicates, onSkipDuplicates }: DuplicateRowsProps) {
  const t = useMessages(tableImportMessages)
  const { duplicateRows, duplicates } = checked
  if (duplicateRows === 0) return null
  return (
    <>
      <p role="status" className={classes.notice}>
        <IconCopy size={15} aria-hidden="true" /> {t('duplicateCount', { n: duplicateRows })}
      </p>
      <VList
        className={classes.faults}
        style={{ height: Math.min(duplicates.length, MAX_VISIBLE_LINES) * LINE_HEIGHT_PX }}
        role="list"
        aria-label={t('duplicateCount', { n: duplicateRows })}
        tabIndex={0}
        itemSize={LINE_HEIGHT_PX}
        data={duplicates}
      >
        {({ row, of, isSame, key }, index) => (
          <div key={index} role="listitem" className={classes.fault}>
            <b>{t('row', { row })}</b>
            <span>
              {of === null
                ? t(isSame ? 'existsSame' : 'existsOther')
                : t(isSame ? 'repeatsSame' : 'repeatsOther', { row: of })}
            </span>
            <span dir="auto">{key}</span>
          </div>
        )}
      </VList>
      {duplicates.length < duplicateRows ? (
        <p className={classes.why}>{t('duplicatesShown', { shown: duplicates.length, total: duplicateRows })}</p>
      ) : null}
      <Checkbox
        size="xs"
        label={t('leaveOutDuplicates')}
        checked={skipsDuplicates}
        onChange={(event) => onSkipDuplicates(event.currentTarget.checked)}
      />
    </>
  )
}
