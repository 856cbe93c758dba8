import type { RetrieverResource } from '#contract/platform/schemas.ts'
import { SourceCard } from './SourceCard.tsx'
import classes from './SourceCards.module.css'

export interface SourceCardsProps {
  sources: readonly RetrieverResource[]
  workspace: string | null
  /** The position of the source selected elsewhere. */
  selected: number | null
  /** Their run, if this console has it. */
  run?: string
}

/** The sources below an answer; nothing without sources. */
export function SourceCards({ sources, workspace, selected, run }: SourceCardsProps) {
  if (sources.length === 0) return null
  return (
    <div className={classes.sources}>
      {sources.map((one, index) => {
        const position = one.position ?? index + 1
        return (
          <SourceCard
            key={index}
            source={one}
            position={position}
            workspace={workspace}
            selected={selected === position}
            {...(run === undefined ? {} : { run })}
          />
        )
      })}
    </div>
  )
}
