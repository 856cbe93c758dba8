import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { findPairColumns, TABLE_KINDS } from '#domain/tables/columnNames.ts'
import fields from '../../../../components/forms/Fields.module.css'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import { documentMessages } from '../messages.ts'
import { getExtension } from '#domain/documentReading/documentKinds.ts'
import { type DocumentFormApi, toDefaultMode } from './documentForm.ts'

export interface QuestionAnswerOfferProps<Sent> {
  form: DocumentFormApi<Sent>
  files: readonly File[]
  /** The `doc_form` that the dataset's documents have already. */
  fixedDocForm: string | null
}

const QUESTION_ANSWER = 'qa_model'

/** Offers Q&A for tables of questions and answers: each row is then found by its question. */
export function QuestionAnswerOffer<Sent>({ form, files, fixedDocForm }: QuestionAnswerOfferProps<Sent>) {
  const t = useMessages(documentMessages)
  const docForm = useWatch({ control: form.control, name: 'doc_form' })
  const tables = useQuestionAnswerTables(files)
  if (tables.length === 0 || (fixedDocForm !== null && fixedDocForm !== QUESTION_ANSWER)) return null
  const names = tables.map(({ name }) => name).join(', ')
  return docForm === QUESTION_ANSWER ? (
    <p className={fields.note} role="status">
      {t('questionAnswerChosen', { names })}
    </p>
  ) : (
    <div className={fields.note} role="status">
      <p>{t('questionAnswerOffer', { names, others: files.length - tables.length })}</p>
      <Button
        variant="default"
        size="compact-sm"
        onClick={() => {
          form.setValue('doc_form', QUESTION_ANSWER, { shouldDirty: true })
          form.setValue('process_rule.mode', toDefaultMode(QUESTION_ANSWER), { shouldDirty: true })
        }}
      >
        {t('questionAnswerUse')}
      </Button>
    </div>
  )
}

/** Enough for the head of a table. */
const MAX_HEAD_BYTES = 16 * 1024
/** A workbook is unpacked before its head is read; larger ones are not examined. */
const MAX_WORKBOOK_BYTES = 2 * 1024 * 1024
const mayBeTable = ({ name, size }: File): boolean =>
  TABLE_KINDS.includes(getExtension(name)) && (getExtension(name) !== 'xlsx' || size <= MAX_WORKBOOK_BYTES)

function useQuestionAnswerTables(files: readonly File[]): readonly File[] {
  const [known, setKnown] = useState<ReadonlyMap<File, boolean>>(new Map())
  const unknown = files.find((file) => mayBeTable(file) && !known.has(file))
  useEffect(() => {
    if (!unknown) return
    let isStale = false
    void isQuestionAnswerTable(unknown).then((isTable) => {
      if (!isStale) setKnown((before) => new Map([...before, [unknown, isTable]]))
    })
    return () => {
      isStale = true
    }
  }, [unknown])
  return files.filter((file) => known.get(file))
}

async function isQuestionAnswerTable(file: File): Promise<boolean> {
  try {
    const { openTable, readTable } = await import('#domain/tables/readTable.ts')
    const isText = getExtension(file.name) !== 'xlsx'
    const bytes = await (isText ? file.slice(0, MAX_HEAD_BYTES) : file).arrayBuffer()
    const { content } = await openTable(new Uint8Array(bytes), { maxRows: 1 })
    return findPairColumns(readTable(content).heads) !== null
  } catch {
    // An unreadable file is reported when it is sent.
    return false
  }
}
