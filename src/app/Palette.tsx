import { Modal } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import {
  IconDownload,
  IconKeyboard,
  IconMessage,
  IconMoon,
  IconSearch,
  IconStack2,
  IconUser,
} from '@tabler/icons-react'
import { type ComponentType, type KeyboardEvent, useId, useState } from 'react'
import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import type { Thing } from '#contract/console.ts'
import { Id } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'
import { paths } from '../paths.ts'
import { useRead, useWrite } from '../wire/query.ts'
import { useWorkspace } from '../wire/useWorkspace.ts'
import classes from './Palette.module.css'

interface Choice {
  id: string
  group: string
  label: string
  hint?: string
  icon: ComponentType<{ size: number }>
  act: () => void
}

/** Go anywhere, open what was seen, say what an id is. */
export function Palette({ onClose, onKeys }: { onClose: () => void; onKeys: () => void }) {
  const t = useTranslations('shell')
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const list = useId()
  const choices = useChoices(text.trim(), onClose, onKeys)
  const current = Math.min(at, choices.length - 1)

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
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      padding={0}
      size={560}
      centered={false}
      yOffset="12vh"
      title={null}
      aria-label={t('palette')}
    >
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
      <div className={classes.list} role="listbox" id={list} aria-label={t('palette')}>
        {choices.length === 0 ? <p className={classes.none}>{t('nothing')}</p> : null}
        {choices.map((choice, index) => (
          <div key={choice.id}>
            {choice.group === choices[index - 1]?.group ? null : (
              <div className={classes.group} role="presentation">
                {choice.group}
              </div>
            )}
            <button
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
    </Modal>
  )
}

function useChoices(text: string, onClose: () => void, onKeys: () => void): Choice[] {
  const t = useTranslations('shell')
  const navigate = useNavigate()
  const { workspace, workspaces, select } = useWorkspace()
  const { setColorScheme } = useMantineColorScheme()
  const scheme = useComputedColorScheme('light')
  const adopt = useWrite(contract.console.adoptThing)
  const [sought] = useDebouncedValue(text, 120)
  const isId = Id.safeParse(text).success
  const query = isId ? { id: text.toLowerCase(), limit: 10 } : { q: sought, workspace: workspace?.id, limit: 8 }
  const things = useRead(contract.console.listThings, { query }, { enabled: isId || sought.length > 1 })

  const kept = workspace ? { workspace: workspace.id } : {}
  const go = (path: string) => () => {
    onClose()
    void navigate(path)
  }
  const seen = text.length > 1 ? (things.data?.data ?? []) : []
  const opened = seen.flatMap((thing): Choice[] => {
    const path = pathOf(thing)
    const label = t('openThing', { kind: thing.kind.replace('_', ' '), label: thing.label ?? thing.id.slice(0, 8) })
    return path
      ? [
          {
            id: `${thing.kind}${thing.id}`,
            group: isId ? t('looksLikeId') : t('recent'),
            label,
            icon: IconStack2,
            act: go(path),
          },
        ]
      : []
  })
  const adoption: Choice[] =
    isId && workspace && opened.length === 0
      ? [
          {
            id: 'adopt',
            group: t('looksLikeId'),
            label: t('adoptDataset'),
            hint: t('unknownId'),
            icon: IconDownload,
            act: () =>
              adopt.mutate(
                { body: { kind: 'dataset', id: text, workspace: workspace.id } },
                { onSuccess: ({ id }) => go(paths.dataset(id, kept))() },
              ),
          },
        ]
      : []
  const places: Choice[] = [
    { id: 'chat', group: t('goTo'), label: t('chat'), hint: 'g c', icon: IconMessage, act: go(paths.chat(kept)) },
    {
      id: 'datasets',
      group: t('goTo'),
      label: t('datasets'),
      hint: 'g d',
      icon: IconStack2,
      act: go(paths.datasets(kept)),
    },
    ...workspaces
      .filter(({ id }) => id !== workspace?.id)
      .map((other): Choice => ({
        id: other.id,
        group: t('workspace'),
        label: other.name,
        icon: IconUser,
        act: () => {
          onClose()
          select(other.id)
        },
      })),
    {
      id: 'theme',
      group: t('goTo'),
      label: t('theme'),
      icon: IconMoon,
      act: () => {
        setColorScheme(scheme === 'light' ? 'dark' : 'light')
        onClose()
      },
    },
    { id: 'keys', group: t('goTo'), label: t('keys'), hint: '?', icon: IconKeyboard, act: onKeys },
  ]
  const words = text.toLowerCase()
  return [...opened, ...adoption, ...(isId ? [] : places.filter(({ label }) => label.toLowerCase().includes(words)))]
}

/** The screen of a thing, if it has one. */
function pathOf({ kind, id, parent, workspace }: Thing): string | null {
  if (kind === 'dataset') return paths.dataset(id, { workspace })
  if (kind === 'document' && parent) return paths.document(parent, id, { workspace })
  if (kind === 'conversation') return paths.chat({ workspace, conversation: id, ...(parent ? { app: parent } : {}) })
  return null
}
