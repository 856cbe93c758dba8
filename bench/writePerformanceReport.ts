import { readRecords, writeReport } from './performanceReport.ts'

// Writes the tables of docs/performance.md again, from the figures in docs/performance.json. Measures nothing.
await writeReport(readRecords())
