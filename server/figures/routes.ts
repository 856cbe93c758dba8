import type { FastifyInstance } from 'fastify'
import { contract } from '#contract/index.ts'
import { ProblemError } from '#contract/problem.ts'
import type { Database } from '../database/database.ts'
import { route } from '../plugins/route.ts'
import { attention } from './attention.ts'
import { sums } from './sums.ts'

/** What the home page shows: the runs of the last days summed up, and what needs a look. */
export function figureRoutes(app: FastifyInstance, database: Database): void {
  const { readFigures, readAttention } = contract.console
  route(app, readFigures, ({ query }, { reach }) => {
    if (!isZone(query.zone))
      throw new ProblemError({
        kind: 'invalid',
        status: 400,
        message: `query.zone “${query.zone}” is no time zone`,
        fields: [{ path: 'query.zone', message: 'must be the name of a time zone, as Europe/Zurich' }],
      })
    return sums(database, query, reach)
  })
  route(app, readAttention, ({ query }, { reach }) => attention(database.pool, query.workspace, reach))
}

function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    // Offsets as names (`+02:00`) mean the opposite to a database.
    return /^[A-Za-z]/.test(zone)
  } catch {
    return false
  }
}
