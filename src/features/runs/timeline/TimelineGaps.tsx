import { toAxisShare, type AxisView } from './timeAxis.ts'
import type { AxisTick } from './axisTicks.ts'
import type { TimeScale } from './timeScale.ts'
import classes from './Timeline.module.css'

/** The background of the rows: hatched gaps without node activity, and grid lines at the ticks. */
export function TimelineGaps({ scale, view, marks }: { scale: TimeScale; view: AxisView; marks: readonly AxisTick[] }) {
  return (
    <div className={classes.behind} aria-hidden="true">
      <span className={classes.axis}>
        {marks.map(({ tick, share }) =>
          share > 0 ? <i key={tick} className={classes.line} style={toPositionStyle(share)} /> : null,
        )}
        {scale.gaps.map((gap) => {
          const [from, to] = [scale.toPosition(gap.from), scale.toPosition(gap.to)]
          if (to < view.from || from > view.to) return null
          const left = toAxisShare(from, view)
          return (
            <i key={gap.from} className={classes.gap} style={toPositionStyle(left, toAxisShare(to, view) - left)} />
          )
        })}
      </span>
    </div>
  )
}

const toPositionStyle = (left: number, width?: number) => ({
  left: `${left * 100}%`,
  ...(width === undefined ? {} : { width: `${width * 100}%` }),
})
