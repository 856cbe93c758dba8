import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const read = (name: string) => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')) as unknown

/** Packages whose scripts npm is asked not to run, and that work without them; each was looked at. */
const SKIPPED_PACKAGES = ['esbuild', 'msw', 'fsevents', '@esbuild-kit/core-utils/node_modules/esbuild']

it('runs the scripts of no package but those that are named', () => {
  const { allowScripts } = read('package.json') as { allowScripts: Record<string, boolean> }
  const { packages } = read('package-lock.json') as { packages: Record<string, { hasInstallScript?: boolean }> }
  const scripted = Object.entries(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length))
  expect(Object.keys(allowScripts)).toEqual(['node'])
  expect([...new Set(scripted)].filter((name) => !allowScripts[name] && !SKIPPED_PACKAGES.includes(name))).toEqual([])
})

it('takes each package by its hash', () => {
  const { packages } = read('package-lock.json') as {
    packages: Record<string, { integrity?: string; link?: boolean; inBundle?: boolean }>
  }
  const taken = Object.entries(packages).filter(([path, { link, inBundle }]) => path !== '' && !link && !inBundle)
  expect(taken.length).toBeGreaterThan(100)
  expect(taken.filter(([, { integrity }]) => !/^sha512-/.test(integrity ?? '')).map(([path]) => path)).toEqual([])
})

it('CI runs the test command of the README, in a shell that stops at the first failure', () => {
  const readText = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')
  const command = /^ {4}(npm install && npm test)$/m.exec(readText('README.md'))?.[1] ?? 'none'
  const lines = readText('.ci/run').split('\n')
  expect(lines.slice(0, 2)).toEqual(['#!/usr/bin/env bash', 'set -eu'])
  expect(lines.filter((line) => line.startsWith('npm ')).join(' && ')).toBe(command)
})
