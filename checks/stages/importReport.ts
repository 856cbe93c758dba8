import { z } from 'zod'

const CruiserReport = z.object({
  summary: z.object({
    totalCruised: z.number(),
    violations: z.array(
      z.object({
        from: z.string(),
        to: z.string(),
        rule: z.object({ name: z.string(), severity: z.string() }),
        cycle: z.array(z.object({ name: z.string() })).optional(),
      }),
    ),
  }),
})

/** Fewer modules than this cannot be this repository: with a TypeScript it does not know, the cruiser sees none and is content. */
const MIN_MODULES = 20

export interface ImportReport {
  ok: boolean
  modules: number
  /** One line for each import that a rule forbids. */
  lines: string[]
}

/** Reads the JSON report of dependency-cruiser; null when it is none. */
export function parseImportReport(text: string): ImportReport | null {
  const report = CruiserReport.safeParse(parseJson(text))
  if (!report.success) return null
  const { totalCruised: modules, violations } = report.data.summary
  const lines = violations.map(({ from, to, rule, cycle }) => {
    const way = cycle ? cycle.map(({ name }) => name).join(' -> ') : to
    return `${rule.severity} ${rule.name}: ${from === to ? from : `${from} -> ${way}`}`
  })
  const few = modules < MIN_MODULES ? [`error: only ${modules} modules were seen`] : []
  const errors = violations.filter(({ rule }) => rule.severity === 'error').length + few.length
  return { ok: errors === 0, modules, lines: [...few, ...lines] }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null
  }
}
