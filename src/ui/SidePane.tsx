import { useLocalStorage } from '@mantine/hooks'
import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from 'react'
import classes from './SidePane.module.css'

const LEAST = 360
const MOST = 720
const STEP = 16

export interface SidePaneProps {
  /** What the pane is called, and what its grip is called. */
  label: string
  gripLabel: string
  /** Under this name the width is kept. */
  name: string
  /** Pixels, until one has chosen. */
  initial: number
  children: ReactNode
}

/** A pane at the right whose left edge can be drawn: by pointer, by the arrow keys, back to its first width by a double click. */
export function SidePane({ label, gripLabel, name, initial, children }: SidePaneProps) {
  const [kept, keep] = useLocalStorage({ key: `loupe-pane-${name}`, defaultValue: initial })
  const [drawn, draw] = useState<{ from: number; start: number; width: number } | null>(null)
  const width = drawn?.width ?? kept
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId)
    draw({ from: event.clientX, start: kept, width: kept })
  }
  const onPointerMove = (event: PointerEvent) => {
    if (drawn) draw({ ...drawn, width: within(drawn.start + drawn.from - event.clientX) })
  }
  const onPointerUp = () => {
    if (drawn) keep(drawn.width)
    draw(null)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowLeft' ? STEP : event.key === 'ArrowRight' ? -STEP : 0
    if (step === 0) return
    event.preventDefault()
    keep(within(kept + step))
  }
  return (
    <aside className={classes.pane} aria-label={label} style={{ width }}>
      <div
        className={classes.grip}
        role="separator"
        aria-label={gripLabel}
        aria-orientation="vertical"
        aria-valuenow={width}
        aria-valuemin={LEAST}
        aria-valuemax={MOST}
        tabIndex={0}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onDoubleClick={() => keep(initial)}
        onKeyDown={onKeyDown}
      />
      {children}
    </aside>
  )
}

const within = (width: number): number => Math.round(Math.min(MOST, Math.max(LEAST, width)))
