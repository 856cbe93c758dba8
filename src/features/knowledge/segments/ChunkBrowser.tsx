import { ActionIcon, Button, Group, Text } from '@mantine/core'
import { useMediaQuery, useClipboard } from '@mantine/hooks'
import { IconChevronLeft, IconChevronRight, IconList, IconPlus } from '@tabler/icons-react'
import { type ReactNode, useState, Suspense } from 'react'
import { optionalSegmentEndpoints } from '#contract/platform/optionalSegments.ts'
import type { Key } from '#contract/console/workspaces.ts'
import type { DocumentRecord } from '#domain/documentRecord.ts'
import { usePermission } from '../../../client/usePermission.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { useSearchParamState } from '../../../components/hooks/useSearchParamState.ts'
import { LazyDrawer } from '../../../components/overlays/LazyDrawer.tsx'
import classes from './Document.module.css'
import { EditorPane } from './editor/EditorPane.tsx'
import { segmentMessages } from './messages.ts'
import { RerunQuestion, useRerunQuestion } from './RerunQuestion.tsx'
import { SegmentBulkBar, useBulkSegmentAction } from './list/SegmentBulkBar.tsx'
import { SegmentList } from './list/SegmentList.tsx'
import { SegmentPane } from './SegmentPane.tsx'
import { type SegmentNavigation, useSegmentNavigation } from './list/useSegmentNavigation.ts'
import type { SegmentSource } from './list/useSegmentPage.ts'
import { useSegmentSelection, type SegmentSelection } from './list/useSegmentSelection.ts'
import { lazyWithPreload } from '../../../components/layout/lazyWithPreload.tsx'
import { useShortcuts } from '../../../components/hooks/useShortcuts.ts'

interface ChunkBrowserProps {
  dataset_id: string
  document_id: string
  workspace: string | undefined
  knowledge: Key | undefined
  record: DocumentRecord | null
}

/** The segments of a document, the one in the URL (`?segment=`, else the first), and the chunk in the editor (`?child=`). */
export function ChunkBrowser({ dataset_id, document_id, workspace, knowledge, record }: ChunkBrowserProps) {
  const url = useSearchParamState()
  const can = usePermission()
  const capabilities = knowledge?.offers ?? []
  const isWide = useMediaQuery('(min-width: 960px)', true, { getInitialValueInEffect: false })
  const [isListOpen, setListOpen] = useState(false)
  const [chosen, child, run] = [url.get('segment'), url.get('child'), url.get('run')]
  const source: SegmentSource = {
    dataset_id,
    document_id,
    workspace,
    keyId: knowledge?.id,
    canListSegments: capabilities.includes('listSegments'),
    keyword: url.get('keyword'),
    status: url.get('status'),
  }
  const open = (segment: string | null) => url.set({ segment, child: null }, { replace: chosen !== undefined })
  const navigation = useSegmentNavigation(source, chosen, open)
  const segment_id = navigation.current
  const canChange = capabilities.includes('updateSegment') && can(optionalSegmentEndpoints.updateSegment)
  const selection = useSegmentSelection(source)
  const bulk = useBulkSegmentAction({
    dataset_id,
    document_id,
    keyId: knowledge?.id,
    onDeleted: (ids) => {
      selection.clear()
      // Another one may have been opened meanwhile.
      const openNow = new URLSearchParams(window.location.search).get('segment')
      if (openNow && ids.includes(openNow)) open(null)
    },
  })
  const rerun = useRerunQuestion(run)
  const add = useAddSegments({ dataset_id, document_id, knowledge, record, onAdded: open })
  // Where the first is shown without being in the URL, a child in the URL needs its segment there.
  const setChild = (id: string | null) => {
    url.set({ segment: segment_id ?? null, child: id })
    if (id === null && segment_id) focusRow(segment_id)
  }
  const onEdit = segment_id && canChange ? () => setChild('segment') : undefined
  useChunkBrowserKeys({ navigation, selection: canChange ? selection : null, onEdit })

  const list = (
    <SegmentList
      source={source}
      navigation={navigation}
      search={{ workspace, keyword: source.keyword, status: source.status, run }}
      onFilter={(filter) => url.set(filter)}
      onOpenId={(id) => {
        setListOpen(false)
        url.set({ segment: id, child: null })
      }}
      onRow={() => setListOpen(false)}
      onEdit={canChange ? (id) => url.set({ segment: id, child: 'segment' }) : undefined}
      selection={canChange ? selection : null}
      bulk={<SegmentBulkBar selection={selection} bulk={bulk} capabilities={capabilities} />}
      actions={add.button}
    />
  )
  const isListAlone = !isWide && segment_id === undefined
  return (
    <div className={classes.browser}>
      {run ? <RerunQuestion rerun={rerun} segment_id={segment_id} onClose={() => url.set({ run: null })} /> : null}
      <div className={classes.panes}>
        {isWide || isListAlone ? list : null}
        {isWide ? null : (
          <SegmentDrawer isOpen={isListOpen && !isListAlone} onClose={() => setListOpen(false)} list={list} />
        )}
        {isListAlone ? null : (
          <SegmentPane
            key={segment_id}
            input={{ dataset_id, document_id, segment_id }}
            keyId={knowledge?.id}
            workspace={workspace}
            capabilities={capabilities}
            record={record}
            child={child}
            navigation={
              isWide ? undefined : <NarrowNavigation navigation={navigation} onList={() => setListOpen(true)} />
            }
            onChild={setChild}
            onEdit={() => setChild('segment')}
            onDeleted={navigation.next ?? navigation.previous ?? (() => open(null))}
          />
        )}
        {segment_id && child && knowledge && workspace ? (
          <EditorPane
            key={`${segment_id}${child}`}
            input={{ dataset_id, document_id, segment_id }}
            keyId={knowledge.id}
            workspace={workspace}
            capabilities={capabilities}
            record={record}
            child={child}
            onChild={setChild}
            onAskAgain={rerun.ask}
          />
        ) : null}
      </div>
      {add.dialog}
    </div>
  )
}

/** After the editor closes, the list keys continue from the row of the segment. */
const focusRow = (segment_id: string): number =>
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>(`[data-row-id="${CSS.escape(segment_id)}"] a[href]`)?.focus(),
  )

function SegmentDrawer({ isOpen, onClose, list }: { isOpen: boolean; onClose: () => void; list: ReactNode }) {
  const t = useMessages(segmentMessages)
  return (
    <LazyDrawer opened={isOpen} onClose={onClose} label={t('segmentList')} position="left" size={340}>
      {list}
    </LazyDrawer>
  )
}

interface NarrowNavigationProps {
  navigation: SegmentNavigation
  onList: () => void
}

/** On a narrow screen: the list behind a button, and buttons for the neighbours. */
function NarrowNavigation({ navigation: { index, total, previous, next }, onList }: NarrowNavigationProps) {
  const t = useMessages(segmentMessages)
  return (
    <Group gap="xs" wrap="nowrap" style={{ flexBasis: '100%' }}>
      <Button variant="default" leftSection={<IconList size={14} />} aria-haspopup="dialog" onClick={onList}>
        {t('segments')}
      </Button>
      <Text span flex={1} fz="sm" c="dimmed" style={{ fontVariantNumeric: 'tabular-nums' }}>
        {index === null || total === null ? null : t('place', { index: index + 1, total })}
      </Text>
      <ActionIcon
        variant="default"
        size={36}
        aria-label={t('previousSegment')}
        disabled={!previous}
        onClick={previous ?? undefined}
      >
        <IconChevronLeft size={16} />
      </ActionIcon>
      <ActionIcon
        variant="default"
        size={36}
        aria-label={t('nextSegment')}
        disabled={!next}
        onClick={next ?? undefined}
      >
        <IconChevronRight size={16} />
      </ActionIcon>
    </Group>
  )
}

// The form is loaded when it is first opened.
const LazyAddSegments = lazyWithPreload(async () => (await import('./AddSegments.tsx')).AddSegments)

interface AddSegmentsOptions {
  dataset_id: string
  document_id: string
  knowledge: Key | undefined
  record: DocumentRecord | null
  onAdded: (segment_id: string | null) => void
}

/**
 * The button and the form of new segments; nothing if the platform or the person cannot add any. The form is next to
 * the list, which is hidden while a narrow window shows a segment.
 */
function useAddSegments({ dataset_id, document_id, knowledge, record, onAdded }: AddSegmentsOptions): {
  button: ReactNode
  dialog: ReactNode
} {
  const t = useMessages(segmentMessages)
  const can = usePermission()
  const [isAdding, setAdding] = useState(false)
  if (!knowledge?.offers.includes('createSegments') || !can(optionalSegmentEndpoints.createSegments))
    return { button: null, dialog: null }
  return {
    button: (
      <Button
        variant="default"
        leftSection={<IconPlus size={14} />}
        aria-haspopup="dialog"
        onClick={() => setAdding(true)}
      >
        {t('addSegment')}
      </Button>
    ),
    dialog: (
      <Suspense>
        {isAdding ? (
          <LazyAddSegments
            dataset_id={dataset_id}
            document_id={document_id}
            keyId={knowledge.id}
            isQuestionAnswer={record?.doc_form === 'qa_model'}
            onClose={() => setAdding(false)}
            onAdded={(id) => {
              setAdding(false)
              onAdded(id ?? null)
            }}
          />
        ) : null}
      </Suspense>
    ),
  }
}

interface ChunkBrowserKeys {
  navigation: SegmentNavigation
  selection: SegmentSelection | null
  /** Undefined for somebody who may not edit, or where the platform offers no edit. */
  onEdit: (() => void) | undefined
}

/** The keys of a list for the segment that is shown: e edits, x selects, c copies its id, where no row has the focus. */
function useChunkBrowserKeys({ navigation: { current, index }, selection, onEdit }: ChunkBrowserKeys): void {
  const clipboard = useClipboard()
  const onCurrent = (act: () => void) => (event: KeyboardEvent) => {
    const isOnRowOrDialog =
      event.target instanceof Element && event.target.closest('[data-row-index], [role=dialog], [role=menu]')
    if (!isOnRowOrDialog) act()
  }
  useShortcuts([
    ['e', onCurrent(() => onEdit?.())],
    ['x', onCurrent(() => current && index !== null && selection?.toggle(current, index))],
    ['c', onCurrent(() => current && clipboard.copy(current))],
  ])
}
