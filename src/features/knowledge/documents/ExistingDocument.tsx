import { useEffect, useRef } from 'react'
import type { DocumentRecord } from '#domain/documentRecord.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import classes from './Documents.module.css'
import { LostEdits } from './LostEdits.tsx'
import { documentMessages } from './messages.ts'
import { useDocumentHistory } from './useDocumentHistory.ts'

/** Warns that a document of this name exists, and lists the edits that are lost if the platform replaces it. */
export function ExistingDocument({ document, workspace }: { document: DocumentRecord; workspace: string }) {
  const t = useMessages(documentMessages)
  const { edits, isPending } = useDocumentHistory(document.id, workspace)
  const warning = useRef<HTMLDivElement>(null)
  // The buttons of a long form cover its end.
  useEffect(() => {
    // Newer browsers return a promise, which is no clean-up.
    void warning.current?.scrollIntoView?.({ block: 'center' })
  }, [isPending])
  return (
    <div ref={warning} className={classes.existing} role="alert">
      <p>{t('nameExists', { name: document.name ?? document.id })}</p>
      {isPending ? null : <LostEdits edits={edits} />}
    </div>
  )
}
