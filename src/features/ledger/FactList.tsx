import type { ReactNode } from 'react'
import classes from './FactList.module.css'

export type Fact = readonly [name: string, value: ReactNode]

/** Names with their values, one pair per line. */
export const FactList = ({ facts }: { facts: readonly Fact[] }) => (
  <dl className={classes.facts}>
    {facts.map(([name, value]) => [<dt key={name}>{name}</dt>, <dd key={`${name} is`}>{value}</dd>])}
  </dl>
)
