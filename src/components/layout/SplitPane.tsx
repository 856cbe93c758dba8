import { useLocalStorage } from '@mantine/hooks'
import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from 'react'
import classes from './SplitPane.module.css'

const MIN_WIDTH_PX = 360
const MAX_WIDTH_PX = 720
const KEYBOARD_STEP_PX = 16

export interface SplitPaneProps {
  /** Labels of the pane and of its resize handle. */
  label: string
  resizeLabel: string
  /** The storage key of the width. */
  storageKey: string
  /** Width in pixels, until the person resizes it. */
  initialWidthPx: number
  children: ReactNode
}

/**
 * A right-hand pane, resizable by pointer and arrow keys; a double click resets its width. react-resizable-panels would
 * add 15 KiB (gzip -9) to the first load of `/chat`, whose limit is 198 KiB.
 */
export function SplitPane({ label, resizeLabel, storageKey, initialWidthPx, children }: SplitPaneProps) {
  const [storedWidth, setStoredWidth] = useLocalStorage({
    key: `loupe-pane-${storageKey}`,
    defaultValue: initialWidthPx,
  })
  const [draggedWidth, setDraggedWidth] = useState<{ from: number; start: number; width: number } | null>(null)
  const width = draggedWidth?.width ?? storedWidth
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId)
    setDraggedWidth({ from: event.clientX, start: storedWidth, width: storedWidth })
  }
  const onPointerMove = (event: PointerEvent) => {
    if (draggedWidth)
      setDraggedWidth({ ...draggedWidth, width: clampWidth(draggedWidth.start + draggedWidth.from - event.clientX) })
  }
  const onPointerUp = () => {
    if (draggedWidth) setStoredWidth(draggedWidth.width)
    setDraggedWidth(null)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowLeft' ? KEYBOARD_STEP_PX : event.key === 'ArrowRight' ? -KEYBOARD_STEP_PX : 0
    if (step === 0) return
    event.preventDefault()
    setStoredWidth(clampWidth(storedWidth + step))
  }
  return (
    <aside className={classes.pane} aria-label={label} style={{ width }}>
      <div
        className={classes.grip}
        role="separator"
        aria-label={resizeLabel}
        aria-orientation="vertical"
        aria-valuenow={width}
        aria-valuemin={MIN_WIDTH_PX}
        aria-valuemax={MAX_WIDTH_PX}
        tabIndex={0}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onDoubleClick={() => setStoredWidth(initialWidthPx)}
        onKeyDown={onKeyDown}
      />
      {children}
    </aside>
  )
}

const clampWidth = (width: number): number => Math.round(Math.min(MAX_WIDTH_PX, Math.max(MIN_WIDTH_PX, width)))
