import { ActionIcon, Box, Group, Stack, Text, Textarea, type TextareaProps, TextInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { FieldLabel } from '../../../../components/forms/FieldLabel.tsx'
import { StatusBadge } from '../../../../components/data/StatusBadge.tsx'
import { Tooltip } from '../../../../components/overlays/Tooltip.tsx'
import { useMessages } from '../../../../components/i18n/useMessages.ts'
import classes from '../Document.module.css'
import { segmentMessages } from '../messages.ts'
import type { TextDraft } from './editConflict.ts'
import { useDebouncedValue } from '@mantine/hooks'
import { requestFromLabWorker } from '../../chunkLab/worker/labWorkerClient.ts'

interface EditorLayoutProps {
  title: string
  facts?: ReactNode
  /** The word of the state, null where there is nothing to say. */
  saveState: string | null
  onClose: () => void
  children: ReactNode
  footer?: ReactNode
}

/** The frame of an editor: what is edited, whether it is saved, the way out, then the fields, of which the first has the focus. */
export function EditorLayout({ title, facts, saveState, onClose, children, footer }: EditorLayoutProps) {
  const t = useMessages(segmentMessages)
  const editor = useRef<HTMLDivElement>(null)
  useEffect(() => editor.current?.querySelector('textarea')?.focus({ preventScroll: true }), [])
  return (
    <Box
      mih={0}
      style={{ overflow: 'auto' }}
      ref={editor}
      onKeyDown={(event) => {
        // A dialog over it closes by Escape itself.
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.preventDefault()
        onClose()
      }}
    >
      <header className={classes.head}>
        <Box flex={1} miw={0}>
          <Text component="h2" fw={600}>
            {title}
          </Text>
          {facts ? (
            <Group component="span" gap="2px 10px" fz="sm" c="dimmed">
              {facts}
            </Group>
          ) : null}
        </Box>
        {saveState ? <StatusBadge status={saveState} /> : null}
        <Tooltip label={t('close')}>
          <ActionIcon aria-label={t('close')} onClick={onClose}>
            <IconX size={16} />
          </ActionIcon>
        </Tooltip>
      </header>
      <Stack gap="md" px="lg" pt="md" pb="lg">
        {children}
      </Stack>
      {footer}
    </Box>
  )
}

export function EditorSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack component="section" gap="xs" aria-label={title}>
      <Text component="h3" fz={13} fw={600}>
        {title}
      </Text>
      {children}
    </Stack>
  )
}

interface EditedText {
  draft: TextDraft
  change: (values: { content?: string; note?: string }) => void
}

export function ContentField({ edit: { draft, change }, ...textarea }: { edit: EditedText } & TextareaProps) {
  return (
    <>
      <Textarea
        label={<FieldLabel name="content" />}
        value={draft.content}
        data-autofocus
        resize="vertical"
        maxLength={100_000}
        onChange={(event) => change({ content: event.currentTarget.value })}
        {...textarea}
      />
      <TextSizeNote text={draft.content} before={draft.base} />
    </>
  )
}

export function ReasonField({ edit: { draft, change } }: { edit: EditedText }) {
  const t = useMessages(segmentMessages)
  return (
    <TextInput
      label={t('reason')}
      description={t('whyText')}
      value={draft.note}
      maxLength={500}
      onChange={(event) => change({ note: event.currentTarget.value })}
    />
  )
}

/** How big a text is, and how big it was before it was changed. */
function TextSizeNote({ text, before }: { text: string; before: string }) {
  const t = useMessages(segmentMessages)
  const tokens = useTokenCount(text)
  const characters = [...text].length
  return (
    <Text fz="sm" c="dimmed" mt={-4} role="status" aria-live="off">
      {tokens === null ? t('size', { characters }) : t('sizeTokens', { characters, tokens })}
      {text === before || before === '' ? null : ` ${t('previousSize', { characters: [...before].length })}`}
    </Text>
  )
}

/** How many tokens a text has, about (o200k_base), counted in the worker when the keys have rested; null until then. */
function useTokenCount(text: string): number | null {
  const [debouncedText] = useDebouncedValue(text, 200)
  const [counted, setCounted] = useState<{ text: string; tokens: number } | null>(null)
  useEffect(
    () =>
      requestFromLabWorker({ kind: 'count', text: debouncedText }, (response) => {
        if (response.kind === 'count') setCounted({ text: debouncedText, tokens: response.tokens })
      }),
    [debouncedText],
  )
  return counted?.text === text ? counted.tokens : null
}
