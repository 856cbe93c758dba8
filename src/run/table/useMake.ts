import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { BatchKind, Bounds, RunSettings } from '#contract/batches.ts'
import { contract } from '#contract/index.ts'
import { type Problem, ProblemError } from '#contract/problem.ts'
import type { z } from 'zod'
import { call } from '../../wire/call.ts'
import { refresh } from '../../wire/query.ts'
import type { TableThread } from './thread.ts'

export interface Making {
  kind: BatchKind
  key: string
  name: string
  total: number
  settings: z.input<typeof RunSettings> | null
  bounds: Bounds
  /** A dry run of so many rows; null for all. */
  only: number | null
  /** What the rows are made of; where it changes, what was handed over so far is another batch's. */
  stamp: string
}

/** Hands a table to the server, piece by piece, and has it begin. What was handed over is not sent again after a failure. */
export function useMake(thread: TableThread, onMade: (batch_id: string) => void) {
  const client = useQueryClient()
  const [sent, setSent] = useState<number | null>(null)
  const [problem, setProblem] = useState<Problem | null>(null)
  const under = useRef<{ stamp: string; id: string; from: number } | null>(null)

  const make = async ({ bounds, only, stamp, ...given }: Making, skipFaulty: boolean): Promise<void> => {
    const its = under.current?.stamp === stamp ? under.current : { stamp, id: crypto.randomUUID(), from: 0 }
    under.current = its
    setProblem(null)
    setSent(its.from)
    try {
      await call(contract.console.createBatch, { body: { ...given, ...bounds, id: its.id } })
      while (its.from < given.total) {
        const rows = await thread.piece(its.from, skipFaulty)
        await call(contract.console.addBatchRows, {
          params: { batch_id: its.id },
          body: { first: its.from + 1, rows },
        })
        its.from += rows.length
        setSent(its.from)
      }
      await call(contract.console.startBatch, {
        params: { batch_id: its.id },
        body: { ...bounds, ...(only ? { only } : {}) },
      })
      void refresh(client, contract.console.createBatch.touches)
      onMade(its.id)
    } catch (error) {
      setProblem(error instanceof ProblemError ? error.problem : { kind: 'fault', message: String(error) })
    } finally {
      setSent(null)
    }
  }
  return { make, sent, problem }
}
