import { expect, test } from 'vitest'
import type { KitRule } from './kitExceptions.ts'
import { findKitFaults, findUnusedKitExceptions, KIT_RULES } from './kits.ts'
import { parseSource, readSources } from './sourceFiles.ts'

test.each<[string, string, KitRule | null]>([
  ['src/features/home/A.tsx', 'export const a = <form onSubmit={save} />', 'form'],
  ['src/features/home/A.tsx', 'import { useForm } from "react-hook-form"', 'form'],
  ['src/features/home/A.tsx', 'import { useWatch } from "react-hook-form"', null],
  ['src/components/A.tsx', 'export const a = <form onSubmit={save} />', null],
  ['src/features/home/A.test.tsx', 'export const a = <form onSubmit={save} />', null],
  ['src/features/home/A.tsx', 'export const a = <ProblemAlert problem={p} onRetry={() => void refetch()} />', 'read'],
  [
    'src/features/home/A.tsx',
    'export const a = <ProblemAlert problem={p} onRetry={() => void list.refetch()} />',
    'read',
  ],
  ['src/features/home/A.tsx', 'export const a = <ProblemAlert problem={p} onRetry={send} />', null],
  ['src/features/home/A.tsx', 'export const a = <><RunTable rows={rows} /><Pager page={1} /></>', 'list'],
  ['src/features/home/A.tsx', 'export const a = <><ul /><Pager page={1} /></>', null],
  ['src/features/home/A.tsx', 'import { DeleteConfirmation } from "#overlays/DeleteConfirmation.tsx"', 'confirm'],
  ['src/features/home/A.tsx', 'import { Consequences } from "#overlays/DeleteConfirmation.tsx"', null],
  ['src/features/home/A.tsx', 'import { Button, Modal } from "@mantine/core"', 'overlay'],
  ['src/features/home/A.tsx', 'import { lazy, Suspense } from "react"', 'lazy'],
  ['src/features/home/A.tsx', 'import { modals } from "@mantine/modals"', 'overlay'],
])('%s: %s', (path, code, rule) => {
  expect(findKitFaults(parseSource(path, code))).toEqual(rule ? [`${path}:1: ${KIT_RULES[rule]}`] : [])
})

test('each exception is still needed', () => {
  expect(findUnusedKitExceptions(readSources())).toEqual([])
})
