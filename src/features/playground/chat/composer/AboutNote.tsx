import { ActionIcon, Box, Button, Flex } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { Link } from 'react-router'
import { resourceEndpoints } from '#contract/console/resources.ts'
import { callEndpoints } from '#contract/console/calls.ts'
import { paths } from '#domain/paths.ts'
import { useRead } from '../../../../client/query.ts'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import { transcriptMessages } from '../transcript/messages.ts'
import { truncateText } from '#contract/truncatedText.ts'

export interface AboutNoteProps {
  dataset_id: string
  /** Null where it is about the whole dataset. */
  document_id: string | null
  workspace: string
  /** The label of the app that will be asked. */
  app: string
  /** Null without permission to send. */
  onQuestion: ((question: string) => void) | null
  onClose: () => void
}

/** The dataset or document that a conversation is about, with a first question. */
export function AboutNote({ dataset_id, document_id, workspace, app, onQuestion, onClose }: AboutNoteProps) {
  const t = useMessages(transcriptMessages)
  const datasets = useRead(resourceEndpoints.listResources, {
    query: { kind: 'dataset', id: dataset_id, workspace, limit: 1 },
  })
  const documents = useRead(resourceEndpoints.listResources, {
    query: { kind: 'document', id: document_id ?? undefined, parent: dataset_id, workspace, limit: 1 },
  })
  const calls = useRead(callEndpoints.listCalls, {
    query: { workspace, entry: 'adjacent.retrieve', resource: dataset_id, limit: 1 },
  })
  const name = datasets.data?.data[0]?.label ?? dataset_id.slice(0, 8)
  const document = documents.data?.data[0]?.label
  const documentName = document_id === null ? null : (document ?? document_id.slice(0, 8))
  const lastQuestion = calls.data?.data.map(({ title }) => title).find((title) => !title.startsWith('/'))
  const documentQuestion = document ? t('whatIsIn', { document }) : null
  const question = document_id === null ? (lastQuestion ?? documentQuestion) : documentQuestion
  return (
    <Flex
      component="section"
      wrap="wrap"
      align="center"
      gap="sm"
      w="100%"
      maw={720}
      mx="auto"
      px="lg"
      pt="md"
      fz={13}
      aria-label={t('aboutLabel')}
    >
      <Flex
        component="span"
        display="inline-flex"
        align="center"
        gap="xs"
        mih={26}
        pl="sm"
        bd="1px solid var(--line-2)"
        bdrs="sm"
        bg="var(--primary-tint)"
        style={{ overflowWrap: 'anywhere' }}
      >
        {t('about')}{' '}
        {document_id === null ? null : (
          <>
            <Link to={paths.document(dataset_id, document_id, { workspace })}>{documentName}</Link> {t('in')}{' '}
          </>
        )}
        <Link to={paths.dataset(dataset_id, { workspace })}>{name}</Link>
        <ActionIcon size={24} aria-label={t('removeAbout')} onClick={onClose}>
          <IconX size={13} aria-hidden="true" />
        </ActionIcon>
      </Flex>
      <Box component="p" flex="1 1 260px" c="dimmed">
        {t('howFar', { app, name: documentName ?? name })}
      </Box>
      {question && onQuestion ? (
        <Button variant="default" maw="100%" onClick={() => onQuestion(question)}>
          {truncateText(question, 120)}
        </Button>
      ) : null}
    </Flex>
  )
}
