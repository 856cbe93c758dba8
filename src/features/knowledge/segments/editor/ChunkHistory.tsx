import { Box, Button, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { LoadMore } from '../../../../components/data/LoadMore.tsx'
import { ReadBoundary } from '../../../../components/layout/ReadBoundary.tsx'
import { RelativeTime } from '../../../../components/data/RelativeTime.tsx'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import {
  type ChunkChange,
  type ChunkVersion,
  hasSameText,
  summarizeTextChange,
  type useChunkVersions,
} from './chunkVersions.ts'
import classes from './Editor.module.css'
import { segmentMessages } from '../messages.ts'

export interface ChunkHistoryProps extends ReturnType<typeof useChunkVersions> {
  current: Pick<ChunkVersion, 'content' | 'answer'>
  /** Null for somebody who may not change it. */
  onRestore: ((version: ChunkVersion) => void) | null
}

/** Every text of the chunk that this console saved or found: who, when and why, what it changed, and the way back to it. */
export function ChunkHistory({ versions, read, older, current, onRestore }: ChunkHistoryProps) {
  const t = useMessages(segmentMessages)
  return (
    <Box
      component="section"
      aria-label={t('history')}
      px="lg"
      pt="md"
      pb="xl"
      style={{ borderTop: '1px solid var(--line)' }}
    >
      <Text component="h3" fz={13} fw={600}>
        {t('history')}
      </Text>
      <ReadBoundary
        read={read}
        action={t('historyWhat')}
        loading={null}
        isEmpty={() => versions.length === 0 && !older.hasMore}
        empty={
          <Text fz="sm" c="dimmed">
            {t('noHistory')}
          </Text>
        }
      >
        {() => (
          <Box component="ol" className={classes.history} mt="sm" mb={0}>
            {versions.map((version) => (
              <li key={version.id} data-ours={version.isSavedHere || undefined}>
                <Group gap="xs" mih={26} fz={13} c="dimmed">
                  <Text span inherit fw={550} c="var(--text)">
                    {version.isSavedHere ? (version.person ?? t('console')) : t('foundBefore')}
                  </Text>
                  <RelativeTime at={version.at} />
                  {hasSameText(version, current) || !onRestore ? null : (
                    <Button ml="auto" variant="subtle" color="gray" onClick={() => onRestore(version)}>
                      {t('restore')}
                    </Button>
                  )}
                </Group>
                {version.note ? <Text fz={13}>{version.note}</Text> : null}
                <VersionChange version={version} />
              </li>
            ))}
          </Box>
        )}
      </ReadBoundary>
      <LoadMore {...older} action={t('historyWhat')} />
    </Box>
  )
}

/** What a version changed; the oldest is shown by its beginning. Its whole text unfolds below. */
function VersionChange({ version }: { version: ChunkChange }) {
  const t = useMessages(segmentMessages)
  const { content, answer, previous } = version
  if (!previous) return <WholeText label={content} version={version} />
  const isAnswerChanged = (previous.answer ?? '') !== (answer ?? '') && previous.answer !== null && answer !== null
  if (previous.content === content && !isAnswerChanged) return <WholeText label={t('sameText')} version={version} />
  const change =
    previous.content === content
      ? summarizeTextChange(previous.answer ?? '', answer ?? '')
      : summarizeTextChange(previous.content, content)
  return (
    <WholeText
      label={
        <>
          {change.before}
          {change.removed ? <del>{change.removed}</del> : null}
          {change.added ? <ins>{change.added}</ins> : null}
          {change.behind}
        </>
      }
      version={version}
    />
  )
}

function WholeText({ label, version: { content, answer } }: { label: ReactNode; version: ChunkVersion }) {
  const t = useMessages(segmentMessages)
  return (
    <>
      <Text lineClamp={3} fz={13} c="dimmed" dir="auto" style={{ overflowWrap: 'anywhere' }}>
        {label}
      </Text>
      <Text component="details" fz="sm" c="dimmed">
        <Box component="summary" w="max-content" style={{ cursor: 'pointer' }}>
          {t('wholeText')}
        </Box>
        <Text
          inherit
          mah={240}
          dir="auto"
          style={{ overflow: 'auto', overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}
        >
          {answer ? `${content}\n\n${answer}` : content}
        </Text>
      </Text>
    </>
  )
}
