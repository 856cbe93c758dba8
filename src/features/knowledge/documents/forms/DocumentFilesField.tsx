import '@mantine/dropzone/styles.css'
import { ActionIcon, Box, Button, Group, Paper, Progress, Stack, Text } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import { IconUpload, IconX } from '@tabler/icons-react'
import { StatusBadge } from '../../../../components/data/StatusBadge.tsx'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import classes from './DocumentFilesField.module.css'
import { getExtension } from '#domain/documentReading/documentKinds.ts'
import { formatMegabytes, USUAL_MAX_FILE_BYTES } from './documentFile.ts'
import { ExistingDocument } from '../LostEdits.tsx'
import { documentMessages } from '../messages.ts'
import type { DocumentUpload, UploadQueue } from './useUploadQueue.ts'
import type { Problem } from '#contract/problem.ts'
import blocks from '../../../../components/layout/Blocks.module.css'

export interface DocumentFilesFieldProps {
  uploads: UploadQueue
  /** Its ledger has the edits of a document that a file would replace. */
  workspace?: string
  isSingle?: boolean
}

/** Where files are dropped or chosen, and each of them on its way. */
export function DocumentFilesField({ uploads, workspace, isSingle = false }: DocumentFilesFieldProps) {
  const t = useMessages(documentMessages)
  return (
    <Stack gap="sm">
      <Dropzone
        onDrop={(files: File[]) => uploads.add(files)}
        multiple={!isSingle}
        disabled={isSingle && uploads.isBusy}
        inputProps={{ 'aria-label': t(isSingle ? 'dropOne' : 'dropMany') }}
        className={classes.drop}
        p="lg"
        radius="lg"
      >
        <IconUpload size={18} aria-hidden="true" />
        <Text>{t(isSingle ? 'dropOne' : 'dropMany')}</Text>
        <Text fz="xs" c="dimmed">
          {t(uploads.isBuiltIn ? 'dropHelpBuiltIn' : 'dropHelp', {
            kinds: uploads.kinds.join(', '),
            limit: formatMegabytes(USUAL_MAX_FILE_BYTES),
          })}
        </Text>
      </Dropzone>
      {uploads.uploads.length > 0 ? (
        <Paper component="ul" className={blocks.rows} radius="md" aria-label={t('files')}>
          {uploads.uploads.map((upload) => (
            <UploadRow key={upload.id} upload={upload} uploads={uploads} workspace={workspace} />
          ))}
        </Paper>
      ) : null}
    </Stack>
  )
}

const UPLOAD_STATUS_TEXT = {
  held: 'not sent',
  ready: 'ready',
  waiting: 'waiting',
  sending: 'sending',
  done: 'sent',
  failed: 'failed',
  cancelled: 'stopped',
}

interface UploadRowProps {
  upload: DocumentUpload
  uploads: UploadQueue
  workspace: string | undefined
}

function UploadRow({ upload, uploads, workspace }: UploadRowProps) {
  const t = useMessages(documentMessages)
  const { id, file, state, fileError, existing, sentBytes, totalBytes, problem } = upload
  const isInProgress = state === 'sending' || state === 'waiting'
  // All bytes were sent, and the platform has not answered yet.
  const isBeingProcessed = state === 'sending' && sentBytes >= totalBytes && totalBytes > 0
  return (
    <li>
      <Group gap="sm" mih={28} className={classes.row}>
        <Text fz="sm" fw={550} truncate>
          {file.name}
        </Text>
        <Text span fz="sm" c="dimmed">
          {formatMegabytes(file.size)}
        </Text>
        <StatusBadge
          status={state === 'ready' ? 'queued' : UPLOAD_STATUS_TEXT[state]}
          state={state === 'done' ? 'succeeded' : undefined}
          isPlain={state === 'done'}
        />
        {isInProgress ? (
          <Button variant="default" size="compact-xs" onClick={() => uploads.cancel(id)}>
            {t('cancelUpload')}
          </Button>
        ) : null}
        {state === 'held' && fileError !== 'empty' ? (
          <Button variant="default" size="compact-xs" onClick={() => uploads.start(id)}>
            {t(existing ? 'replaceDo' : 'sendAnyway')}
          </Button>
        ) : null}
        {state === 'failed' || state === 'cancelled' ? (
          <Button variant="default" size="compact-xs" onClick={() => uploads.start(id)}>
            {t('sendAgain')}
          </Button>
        ) : null}
        {isInProgress ? null : (
          <ActionIcon
            size={24}
            className={classes.remove}
            aria-label={t('removeFile', { name: file.name })}
            onClick={() => uploads.remove(id)}
          >
            <IconX size={14} />
          </ActionIcon>
        )}
      </Group>
      {existing && workspace && state === 'held' ? (
        <ExistingDocument document={existing} workspace={workspace} />
      ) : null}
      {fileError && !existing && state === 'held' ? (
        <Text fz="sm" c="var(--interrupted-fg)">
          {t(`fileError.${fileError}`, {
            extension: getExtension(file.name) || t('noExtension'),
            builtIn: String(uploads.isBuiltIn),
            limit: formatMegabytes(USUAL_MAX_FILE_BYTES),
          })}
        </Text>
      ) : null}
      {state === 'sending' ? (
        <Group gap="sm" py={4}>
          <Progress
            flex={1}
            value={totalBytes > 0 ? (sentBytes / totalBytes) * 100 : 0}
            aria-label={t('uploading', { name: file.name })}
            aria-valuetext={t('bytes', { sent: formatMegabytes(sentBytes), total: formatMegabytes(totalBytes) })}
          />
          <Text span fz="xs" c="dimmed" style={{ fontVariantNumeric: 'tabular-nums' }}>
            {isBeingProcessed
              ? t('bytesSent')
              : t('bytes', { sent: formatMegabytes(sentBytes), total: formatMegabytes(totalBytes) })}
          </Text>
        </Group>
      ) : null}
      {state === 'cancelled' ? (
        <Text fz="sm" c="dimmed">
          {t('cancelledNote')}
        </Text>
      ) : null}
      {problem ? <UploadProblem problem={problem} name={file.name} /> : null}
    </li>
  )
}

/** Why a file did not arrive, in one line with the platform's words; its complete answer is folded. */
function UploadProblem({ problem, name }: { problem: Problem; name: string }) {
  const t = useMessages(documentMessages)
  const body = problem.upstream?.body
  const status = problem.upstream?.status
  return (
    <Box fz="sm" c="var(--failed-fg)" style={{ overflowWrap: 'anywhere' }} role="alert">
      <Text span inherit>
        {t(problem.kind === 'refused' ? 'uploadRefused' : 'uploadFailed', { name })} <q>{problem.message}</q>
        {status ? <code> {status}</code> : null}
      </Text>
      {body == null ? null : (
        <details>
          <Text component="summary" w="fit-content" c="dimmed" fz="sm">
            {t('fullAnswer')}
          </Text>
          <Box
            component="pre"
            className={blocks.asWritten}
            mah={160}
            my={4}
            p="sm"
            bg="var(--sunken)"
            bdrs="sm"
            c="var(--text)"
            style={{ overflow: 'auto' }}
            tabIndex={0}
          >
            {typeof body === 'string' ? body : JSON.stringify(body, null, 2)}
          </Box>
        </details>
      )}
    </Box>
  )
}
