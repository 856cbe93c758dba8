import { shareOf, type View } from './axis.ts'
import type { Mark } from './marks.ts'
import type { Scale } from './scale.ts'
import classes from './Timeline.module.css'

/** Behind the rows: where no node was at work, hatched, and a line at each time that the axis names. */
export function Gaps({ scale, view, marks }: { scale: Scale; view: View; marks: readonly Mark[] }) {
  return (
    <div className={classes.behind} aria-hidden="true">
      <span className={classes.axis}>
        {marks.map(({ tick, share }) =>
          share > 0 ? <i key={tick} className={classes.line} style={at(share)} /> : null,
        )}
        {scale.gaps.map((gap) => {
          const [from, to] = [scale.at(gap.from), scale.at(gap.to)]
          if (to < view.from || from > view.to) return null
          const left = shareOf(from, view)
          return <i key={gap.from} className={classes.gap} style={at(left, shareOf(to, view) - left)} />
        })}
      </span>
    </div>
  )
}

const at = (left: number, width?: number) => ({
  left: `${left * 100}%`,
  ...(width === undefined ? {} : { width: `${width * 100}%` }),
})
