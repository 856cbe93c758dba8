import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const read = (name: string) => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')) as unknown

it('runs the scripts of no package but Node, and has decided on each package with scripts', () => {
  const { allowScripts } = read('package.json') as { allowScripts: Record<string, boolean> }
  const { packages } = read('package-lock.json') as { packages: Record<string, { hasInstallScript?: boolean }> }
  const scripted = Object.entries(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length))
  expect(scripted.filter((name) => !(name in allowScripts))).toEqual([])
  expect(Object.keys(allowScripts).filter((name) => allowScripts[name])).toEqual(['node'])
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
