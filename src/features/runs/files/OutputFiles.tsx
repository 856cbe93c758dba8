import { Paper, Text } from '@mantine/core'
import type { MessageFile } from '#domain/answer/answerParts.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import type { Turn } from '../turn.ts'
import { timelineMessages } from '../timeline/messages.ts'
import { AnswerFiles, useAnswerFileSource } from './AnswerFiles.tsx'

/** The output files of a workflow, loaded through the server, which saves them with the run on request. */
export function OutputFiles({ turn, workspace }: { turn: Turn; workspace: string | null }) {
  const t = useMessages(timelineMessages)
  const { run } = turn.answer
  const files = collectOutputFiles(run.outputs, run.files)
  const fileSource = useAnswerFileSource(turn, workspace)
  if (files.length === 0) return null
  return (
    <Paper radius="md" px="md" py="sm">
      <AnswerFiles run_id={turn.run_id} files={files} label={t('files')} fileSource={fileSource} />
      <Text size="sm" c="dimmed" mt={4}>
        {t('filesExpire')}
      </Text>
    </Paper>
  )
}

/** Maximum search depth, and maximum number of files. */
const MAX_SEARCH_DEPTH = 6
const MAX_OUTPUT_FILES = 100

/** Collects the files in a workflow's output: records with a URL and a file name or type, each URL once. */
export function collectOutputFiles(...values: unknown[]): MessageFile[] {
  const filesByUrl = new Map<string, MessageFile>()
  for (const value of values) visit(value, 0)
  return [...filesByUrl.values()]

  function visit(value: unknown, depth: number): void {
    if (typeof value !== 'object' || value === null || depth > MAX_SEARCH_DEPTH || filesByUrl.size >= MAX_OUTPUT_FILES)
      return
    if (!Array.isArray(value)) {
      const file = toOutputFile(value as Record<string, unknown>)
      if (file?.url && !filesByUrl.has(file.url)) filesByUrl.set(file.url, file)
    }
    for (const part of Object.values(value)) visit(part, depth + 1)
  }
}

function toOutputFile({
  url,
  remote_url,
  filename,
  name,
  type,
  mime_type,
  size,
}: Record<string, unknown>): MessageFile | null {
  const address = nonEmptyText(url) ?? nonEmptyText(remote_url)
  const fileName = nonEmptyText(filename) ?? nonEmptyText(name)
  const mediaType = nonEmptyText(mime_type)
  const kind = nonEmptyText(type)
  if (address === null || (fileName === null && mediaType === null && kind === null)) return null
  return {
    id: null,
    type: kind,
    belongs_to: null,
    url: address,
    ...(fileName === null ? {} : { filename: fileName }),
    ...(mediaType === null ? {} : { mime_type: mediaType }),
    ...(typeof size === 'number' ? { size } : {}),
  }
}

const nonEmptyText = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
