import { Modal } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { ProblemNote } from '../ui/ProblemNote.tsx'
import { useWords } from '../ui/words.ts'
import { shellWords } from './messages.ts'
import classes from './Palette.module.css'
import { useChoices } from './useChoices.ts'

/** Go anywhere, open what was seen, say what an id is. */
export function Palette({ onClose, onKeys }: { onClose: () => void; onKeys: () => void }) {
  const t = useWords(shellWords)
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const list = useId()
  const { choices, note, problem } = useChoices(text.trim(), onClose, onKeys)
  const current = Math.min(at, choices.length - 1)
  const marked = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    marked.current?.scrollIntoView({ block: 'nearest' })
  }, [current])

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) {
      event.preventDefault()
      setAt((current + step + choices.length) % Math.max(1, choices.length))
    }
    if (event.key === 'Enter') {
      event.preventDefault()
      choices[current]?.act()
    }
  }
  return (
    <Modal.Root opened onClose={onClose} size={560} centered={false} yOffset="12vh">
      <Modal.Overlay />
      {/* The name stands at the dialog itself: Modal would put it on a box around it, where it says nothing. */}
      <Modal.Content aria-label={t('palette')} radius="lg">
        <label className={classes.field}>
          <IconSearch size={16} aria-hidden="true" />
          <input
            data-autofocus
            role="combobox"
            aria-expanded="true"
            aria-controls={list}
            aria-activedescendant={choices[current] ? `${list}-${current}` : undefined}
            aria-label={t('palette')}
            placeholder={t('palette')}
            value={text}
            onChange={(event) => {
              setText(event.currentTarget.value)
              setAt(0)
            }}
            onKeyDown={onKeyDown}
            autoComplete="off"
            spellCheck={false}
          />
        </label>
        <p className={classes.note} role="status">
          {note}
        </p>
        {problem ? (
          <div className={classes.problem}>
            <ProblemNote problem={problem} />
          </div>
        ) : null}
        <div className={classes.list} role="listbox" id={list} aria-label={t('palette')}>
          {choices.map((choice, index) => (
            <div key={choice.id}>
              {choice.group === choices[index - 1]?.group ? null : (
                <div className={classes.group} role="presentation">
                  {choice.group}
                </div>
              )}
              <button
                ref={index === current ? marked : undefined}
                type="button"
                role="option"
                id={`${list}-${index}`}
                tabIndex={-1}
                aria-selected={index === current}
                className={classes.choice}
                onClick={choice.act}
                onMouseMove={() => setAt(index)}
              >
                <choice.icon size={16} />
                <span>{choice.label}</span>
                {choice.hint ? <small>{choice.hint}</small> : null}
              </button>
            </div>
          ))}
        </div>
      </Modal.Content>
    </Modal.Root>
  )
}
