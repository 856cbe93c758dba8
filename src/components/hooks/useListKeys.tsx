import { type ReactNode, type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { componentMessages } from '../i18n/messages.ts'
import { useMessages } from '../i18n/useMessages.ts'
import { getLocationKey } from './locationKey.ts'
import classes from './useListKeys.module.css'
import { useShortcuts } from './useShortcuts.ts'

export interface ListKeysOptions {
  /** Contains the rows; only rows in it are moved to. */
  container: RefObject<HTMLElement | null>
  /** The number of rows, including those that a virtualized list has not rendered. */
  count: number
  /** The id of a row, undefined while it is not loaded. `c` copies it, and it identifies the row after Back. */
  getId?: ((index: number) => string | undefined) | undefined
  /** `x` selects or deselects the row; with Shift (`isRange`) all rows from the last one selected to this. */
  onSelect?: ((index: number, options: { isRange: boolean }) => void) | undefined
  /** `e` edits the row. */
  onEdit?: ((index: number) => void) | undefined
  /** `Esc` if nothing is open over the list; the default leaves the row. */
  onEscape?: (() => void) | undefined
  /** Draws a row that is out of sight; virtualized lists need it. */
  scrollToIndex?: ((index: number) => void) | undefined
}

/**
 * The keyboard of a list, one for all lists: `j` and `k` (and the arrows, once a row has the focus) move between rows,
 * `Enter` follows the row's link, `x` selects, `e` edits, `c` copies the id, `Esc` leaves. Keys without a callback do
 * nothing and are not listed in the shortcuts dialog. Inactive in text fields, in sequences and under dialogs and menus.
 *
 * Each row's element has `{...listRowAttributes(index, id)}`. The focus goes to the row's `[data-row-focus]`, else to
 * its first link or button, so that a row is one tab stop at most. After Back the row that was left has the focus again.
 *
 *     const rows = useRef<HTMLDivElement>(null)
 *     const { status } = useListKeys({
 *       container: rows, count: total, getId: (index) => list[index]?.id,
 *       onEdit: (index) => openEditor(list[index]), scrollToIndex: (index) => handle.current?.scrollToIndex(index),
 *     })
 *     <div ref={rows}>{list.map((one, index) => <div key={one.id} {...listRowAttributes(index, one.id)}><Link … /></div>)}{status}</div>
 *
 * `status` announces the copied id; render it anywhere in the list. `Table` and `VirtualTable` use this hook already
 * (their prop `rowActions`).
 */
export function useListKeys(options: ListKeysOptions): { status: ReactNode } {
  const { container, count, getId, onSelect, onEdit, onEscape, scrollToIndex } = options
  const t = useMessages(componentMessages)
  const [copied, setCopied] = useState<{ id: string; isCopied: boolean } | null>(null)

  const focusRow = (index: number) => {
    const focus = () => focusRowElement(container.current, index)
    if (focus()) return
    scrollToIndex?.(index)
    afterNextPaint(focus)
  }
  const move = (step: 1 | -1) => {
    const at = findCurrentIndex(container.current)
    const next = at === null ? (step === 1 ? 0 : count - 1) : at + step
    if (next >= 0 && next < count) focusRow(next)
  }
  const copy = (index: number) => {
    const id = getId?.(index)
    if (id !== undefined) void copyText(id).then((isCopied) => setCopied({ id, isCopied }))
  }

  const onRow = (act: (index: number) => void) => (event: KeyboardEvent) => {
    const index = isCovered(event, container.current) ? null : findCurrentIndex(container.current)
    if (index === null) return
    event.preventDefault()
    act(index)
  }
  const onList = (act: () => void) => (event: KeyboardEvent) => {
    if (isCovered(event, container.current)) return
    event.preventDefault()
    act()
  }
  const ownDefault = { preventDefault: false }
  useShortcuts([
    ['j', onList(() => move(1)), ownDefault],
    ['k', onList(() => move(-1)), ownDefault],
    // Without a focused row the arrows scroll.
    ['ArrowDown', onRow(() => move(1)), ownDefault],
    ['ArrowUp', onRow(() => move(-1)), ownDefault],
    ...shortcutIf(onSelect, (select) => [
      ['x', onRow((index) => select(index, { isRange: false })), ownDefault],
      ['shift+X', onRow((index) => select(index, { isRange: true })), ownDefault],
    ]),
    ...shortcutIf(onEdit, (edit) => [['e', onRow(edit), ownDefault]]),
    ...shortcutIf(getId, () => [['c', onRow(copy), ownDefault]]),
    ['Escape', onList(onEscape ?? (() => leaveRow(container.current))), ownDefault],
  ])
  useFocusedRowMemory(container, count, focusRow)
  useEffect(() => {
    listContainers.add(container)
    return () => void listContainers.delete(container)
  }, [container])

  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(null), COPIED_NOTE_MS)
    return () => clearTimeout(timer)
  }, [copied])
  return {
    status: (
      <span role="status" className={classes.status} data-shown={copied ? true : undefined}>
        {copied ? t(copied.isCopied ? 'idCopied' : 'idNotCopied', { id: copied.id }) : null}
      </span>
    ),
  }
}

const COPIED_NOTE_MS = 2_500

type Shortcuts = Parameters<typeof useShortcuts>[0]

const shortcutIf = <Act,>(act: Act | undefined, toShortcuts: (act: Act) => Shortcuts): Shortcuts =>
  act === undefined ? [] : toShortcuts(act)

/** The attributes of a row's element, by which `useListKeys` finds it. */
export const listRowAttributes = (index: number, id?: string) => ({ 'data-row-index': index, 'data-row-id': id })

/** The index of the row with the focus. Null if none has it. */
function findCurrentIndex(container: HTMLElement | null): number | null {
  const row = document.activeElement?.closest<HTMLElement>('[data-row-index]')
  return row && container?.contains(row) ? Number(row.dataset['rowIndex']) : null
}

function focusRowElement(container: HTMLElement | null, index: number): boolean {
  const row = container?.querySelector(`[data-row-index="${index}"]`)
  const target =
    row?.querySelector<HTMLElement>('[data-row-focus]') ?? row?.querySelector<HTMLElement>('a[href], button')
  target?.focus()
  return Boolean(target)
}

/** Focus on the list itself: the next `j` begins at its first row. */
function leaveRow(container: HTMLElement | null): void {
  if (findCurrentIndex(container) === null) return
  container?.closest<HTMLElement>('[tabindex="0"]')?.focus()
  if (findCurrentIndex(container) !== null && document.activeElement instanceof HTMLElement)
    document.activeElement.blur()
}

/** The lists of the page. */
const listContainers = new Set<RefObject<HTMLElement | null>>()

/**
 * Whether the key belongs to something else: to a dialog or a menu over the list, or to another list of the page. The
 * list with the focus takes the keys, without one the first of the page.
 */
function isCovered(event: KeyboardEvent, container: HTMLElement | null): boolean {
  if (event.defaultPrevented || container === null) return true
  const overlay = event.target instanceof Element ? event.target.closest('[role=dialog], [role=menu]') : null
  if (overlay && !overlay.contains(container)) return true
  const lists = [...listContainers].flatMap(({ current }) => current ?? [])
  const focused = lists.find((list) => list.contains(document.activeElement))
  if (focused) return focused !== container
  return lists.some((list) => list.compareDocumentPosition(container) & Node.DOCUMENT_POSITION_FOLLOWING)
}

/** A virtualized list renders the row that it has scrolled to within a few frames. */
function afterNextPaint(attempt: () => boolean, attempts = 10): void {
  requestAnimationFrame(() => {
    if (!attempt() && attempts > 1) afterNextPaint(attempt, attempts - 1)
  })
}

/** Whether the text was copied: browsers offer the clipboard only over TLS or on localhost. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

/** The rows that had the focus last, by history entry. */
const focusedRows = new Map<string, { index: number; id: string | undefined }>()
const MAX_REMEMBERED_ROWS = 100

/** Remembers the row with the focus for its history entry, and focuses it again after Back. */
function useFocusedRowMemory(
  container: RefObject<HTMLElement | null>,
  count: number,
  focusRow: (index: number) => void,
): void {
  useEffect(() => {
    const element = container.current
    if (!element) return
    const remember = () => {
      const index = findCurrentIndex(element)
      if (index === null) return
      const id = element.querySelector<HTMLElement>(`[data-row-index="${index}"]`)?.dataset['rowId']
      focusedRows.delete(getLocationKey())
      focusedRows.set(getLocationKey(), { index, id })
      const [oldest] = focusedRows.keys()
      if (focusedRows.size > MAX_REMEMBERED_ROWS && oldest !== undefined) focusedRows.delete(oldest)
    }
    element.addEventListener('focusin', remember)
    return () => element.removeEventListener('focusin', remember)
  }, [container])

  // Read when the list mounts: later, the memory has rows of this visit.
  const [row] = useState(() => focusedRows.get(getLocationKey()))
  const [isRestored, setRestored] = useState(false)
  const restore = useEffectEvent(() => {
    setRestored(true)
    if (!row || !isFocusFree()) return
    // The row may have moved meanwhile; without its id its place is the best guess.
    const drawn = [...(container.current?.querySelectorAll<HTMLElement>('[data-row-id]') ?? [])].find(
      ({ dataset }) => dataset['rowId'] === row.id,
    )
    focusRow(Math.min(Number(drawn?.dataset['rowIndex'] ?? row.index), count - 1))
  })
  const hasRows = count > 0
  useEffect(() => {
    if (hasRows && !isRestored) requestAnimationFrame(() => restore())
  }, [hasRows, isRestored])
}

/** Whether the focus was not moved since the screen was rendered: it is on nothing, or on the heading. */
const isFocusFree = (): boolean =>
  document.activeElement === null || document.activeElement === document.body || document.activeElement.tagName === 'H1'
