import { readRecords, writeReport } from './performanceReport.ts'

// Regenerates the tables of docs/performance.md from docs/performance.json. Measures nothing.
await writeReport(readRecords())
