import { Flex, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Problem } from '#contract/problem.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { tableImportMessages } from './messages.ts'
import fields from '../../../components/forms/Fields.module.css'

/** A titled step of the import of a table. */
export function ImportStep({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Flex component="section" direction="column" gap="sm" miw={0} aria-label={title}>
      <Text component="h2" fz="md" fw={600}>
        {title}
      </Text>
      {children}
    </Flex>
  )
}

interface ImportFooterProps {
  /** Why the upload failed. */
  problem: Problem | null
  /** What is sent, or will be. */
  note: string
  /** The buttons. */
  children: ReactNode
}

/** The end of an import: why its upload failed, and its buttons, which stay in view. */
export function ImportFooter({ problem, note, children }: ImportFooterProps) {
  const t = useMessages(tableImportMessages)
  return (
    <>
      {problem ? (
        <ProblemAlert problem={problem} action={t('uploadWhat')}>
          <span>{t('uploadAgain')}</span>
        </ProblemAlert>
      ) : null}
      <div className={fields.buttons}>
        <Text flex="1 1 260px" fz="sm" c="dimmed" role="status">
          {note}
        </Text>
        {children}
      </div>
    </>
  )
}
