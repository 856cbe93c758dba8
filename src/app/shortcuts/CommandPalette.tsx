import { Box, Modal, Text } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { useMessages } from '../../components/i18n/useMessages.ts'
import { shellMessages } from '../shell/messages.ts'
import classes from './CommandPalette.module.css'
import { useCommands } from './useCommands.ts'

/** Opens screens and recently seen resources, and identifies ids. */
export function CommandPalette({ onClose, onShortcuts }: { onClose: () => void; onShortcuts: () => void }) {
  const t = useMessages(shellMessages)
  const [text, setText] = useState('')
  const [selectedIndex, setSelectedIndex] = useState(0)
  const list = useId()
  const { commands, note, problem } = useCommands(text.trim(), onClose, onShortcuts)
  const current = Math.min(selectedIndex, commands.length - 1)
  const selectedCommand = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    selectedCommand.current?.scrollIntoView({ block: 'nearest' })
  }, [current])

  const onKeyDown = (event: KeyboardEvent) => {
    const selectNext = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (selectNext) {
      event.preventDefault()
      setSelectedIndex((current + selectNext + commands.length) % Math.max(1, commands.length))
    }
    if (event.key === 'Enter') {
      event.preventDefault()
      commands[current]?.run()
    }
  }
  return (
    <Modal.Root opened onClose={onClose} size={560} centered={false} yOffset="12vh">
      <Modal.Overlay />
      {/* The label belongs on the dialog itself: Modal would put it on a wrapper, where screen readers ignore it. */}
      <Modal.Content aria-label={t('palette')} radius="lg">
        <label className={classes.field}>
          <IconSearch size={16} aria-hidden="true" />
          <input
            data-autofocus
            role="combobox"
            aria-expanded="true"
            aria-controls={list}
            aria-activedescendant={commands[current] ? `${list}-${current}` : undefined}
            aria-label={t('palette')}
            placeholder={t('palette')}
            value={text}
            onChange={(event) => {
              setText(event.currentTarget.value)
              setSelectedIndex(0)
            }}
            onKeyDown={onKeyDown}
            autoComplete="off"
            spellCheck={false}
          />
        </label>
        <Text hidden={note === null} px="md" pt="sm" c="dimmed" role="status">
          {note}
        </Text>
        {problem ? (
          <Box px="md" pt="sm">
            <ProblemAlert problem={problem} />
          </Box>
        ) : null}
        <Box mah="50vh" p="xs" style={{ overflowY: 'auto' }} role="listbox" id={list} aria-label={t('palette')}>
          {commands.map((command, index) => (
            <div key={command.id}>
              {command.group === commands[index - 1]?.group ? null : (
                <Text px="sm" pt="sm" pb={4} c="var(--text-3)" fz="xs" role="presentation">
                  {command.group}
                </Text>
              )}
              <button
                ref={index === current ? selectedCommand : undefined}
                type="button"
                role="option"
                id={`${list}-${index}`}
                tabIndex={-1}
                aria-selected={index === current}
                className={classes.choice}
                onClick={command.run}
                onMouseMove={() => setSelectedIndex(index)}
              >
                <command.icon size={16} />
                <span>{command.label}</span>
                {command.hint ? <small>{command.hint}</small> : null}
              </button>
            </div>
          ))}
        </Box>
      </Modal.Content>
    </Modal.Root>
  )
}
