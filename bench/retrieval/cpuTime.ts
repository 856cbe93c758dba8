import { readFileSync } from 'node:fs'
import type { LoupeProcess } from '#support/loupeProcess.ts'

const TICK_MS = 10
/** Fields of `/proc/PID/stat` behind the name of the program, from 0: user and system time in ticks. */
const USER_TIME_FIELD = 11
const SYSTEM_TIME_FIELD = 12

/**
 * CPU time of all threads of the process since its start, in milliseconds. Other than a duration it hardly depends on what
 * else the machine does.
 */
export function readCpuMs({ pid }: LoupeProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[USER_TIME_FIELD]) + Number(fields[SYSTEM_TIME_FIELD])) * TICK_MS
}
