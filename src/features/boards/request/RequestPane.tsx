import { MAX_BOARD_ROUNDS } from '#contract/console/boards.ts'
import { Button, Flex, Group, Kbd, NativeSelect, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import type { Key } from '#contract/console/workspaces.ts'
import type { FieldErrors } from '../../runs/inputs/inputFields.ts'
import { runMessages } from '../../runs/detail/messages.ts'
import { ResponseModeControl } from '../../runs/inputs/ResponseModeControl.tsx'
import type { UploadTarget } from '../../runs/inputs/InputFilesField.tsx'
import { MODIFIER_KEY } from '../../../components/hooks/modifierKey.ts'
import { useMessages } from '../../../components/i18n/useMessages.ts'
import { BoardInputFields } from './BoardInputFields.tsx'
import { type BoardInput, type Board, clampRounds } from '../board.ts'
import { boardMessages } from '../messages.ts'
import type { AppForm } from './cellRequest.ts'

export interface RequestPaneProps {
  board: Board
  /** The forms of the cells with the common request. */
  forms: readonly AppForm[]
  /** The apps of the cells that a press of Run asks. */
  apps: readonly Key[]
  isReady: boolean
  defaultUser: string
  upload: UploadTarget | null
  errors: FieldErrors
  /** How many cells lack something, after a press that sent nothing. */
  missingCount: number
  /** A press of Run sent nothing, as files are not uploaded yet. */
  isWaitingForUploads: boolean
  onInput: (change: Partial<BoardInput>) => void
  onBoard: (change: Partial<Board>) => void
  onRun: () => void
}

/** The request for all cells, the number of rounds, and the end user. */
export function RequestPane(props: RequestPaneProps) {
  const { board, forms, apps, isReady, defaultUser, upload, errors, missingCount, isWaitingForUploads } = props
  const { onInput, onBoard, onRun } = props
  const t = useMessages(boardMessages)
  const formatError = useMessages(runMessages)
  return (
    <form
      style={{ display: 'flex', flexDirection: 'column', height: '100%' }}
      aria-label={t('asked')}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady) onRun()
      }}
    >
      <Stack flex={1} mih={0} px="lg" py="md" style={{ overflowY: 'auto' }}>
        {forms.length === 0 ? (
          <Text c="dimmed" fz="sm">
            {t('noApp')}
          </Text>
        ) : null}
        <BoardInputFields forms={forms} input={board.asked} onInput={onInput} errors={errors} upload={upload} />
        {apps.length > 0 ? (
          <>
            <TextInput
              label={formatError('user')}
              description={formatError('userWhy')}
              maxLength={255}
              value={board.user ?? defaultUser}
              onChange={(event) => onBoard({ user: event.currentTarget.value })}
            />
            <ResponseModeControl
              value={board.response_mode}
              onChange={(response_mode) => onBoard({ response_mode })}
              apps={apps}
            />
          </>
        ) : null}
      </Stack>
      {apps.length > 0 ? (
        <Group style={{ borderTop: '1px solid var(--line)' }} justify="end" gap="sm" px="lg" py={10}>
          {missingCount > 0 ? (
            <Text flex="1 0 100%" c="var(--failed-fg)" fz="sm" role="alert">
              {t('notAsked', { cells: missingCount })}
            </Text>
          ) : null}
          {isWaitingForUploads ? (
            <Text flex="1 0 100%" c="var(--failed-fg)" fz="sm" role="alert">
              {t('uploadsPending')}
            </Text>
          ) : null}
          {board.repeat > 1 ? (
            <Stack flex="1 0 100%" gap="xs">
              <SegmentedControl
                size="xs"
                aria-label={t('pace')}
                value={board.pace}
                onChange={(pace) => onBoard({ pace })}
                data={[
                  { value: 'one_by_one', label: t('oneByOne') },
                  { value: 'at_once', label: t('atOnce') },
                ]}
              />
              <Text c="dimmed" fz="sm">
                {t(board.pace === 'at_once' ? 'atOnceWhy' : 'oneByOneWhy')}
              </Text>
            </Stack>
          ) : null}
          <Flex component="label" align="center" gap="xs" me="auto" fz="sm">
            {t('repeat')}
            <NativeSelect
              value={String(board.repeat)}
              onChange={(event) => onBoard({ repeat: clampRounds(Number(event.currentTarget.value)) })}
              data={Array.from({ length: MAX_BOARD_ROUNDS }, (_, index) => String(index + 1))}
            />
          </Flex>
          <span title={t('runHint')}>
            <Kbd size="xs">{MODIFIER_KEY}</Kbd> <Kbd size="xs">Enter</Kbd>
          </span>
          <Button type="submit" leftSection={<IconPlayerPlay size={14} />} disabled={!isReady}>
            {t('runCells', { count: apps.length })}
          </Button>
        </Group>
      ) : null}
    </form>
  )
}
