import { expect, test } from 'vitest'
import type { Problem } from '#contract/problem.ts'
import { sampleTurn } from '../turn.testing.ts'
import type { Turn } from '../turn.ts'
import { CHAT_INSPECTOR_TABS, getDefaultInspectorTab, parseInspectorTab } from './inspectorTabs.ts'

const local: Problem = { kind: 'refused', message: 'Too many runs at once.' }
const upstream: Problem = { kind: 'refused', message: 'Not now.', upstream: { status: 429, body: {} } }

test.each<[string, Partial<Turn>, string]>([
  ['has frames', {}, 'frames'],
  ['has frames and a refusal', { state: 'failed', problem: upstream }, 'frames'],
  ['has no frame yet', { state: 'streaming', frames: 0 }, 'frames'],
  ['is complete without a frame', { frames: 0 }, 'reply'],
  ['was stopped without a frame', { state: 'stopped', frames: 0 }, 'reply'],
  ['was refused by the platform', { state: 'refused', frames: 0, problem: upstream }, 'reply'],
  ['was refused before the platform was asked', { state: 'refused', frames: 0, problem: local }, 'frames'],
  ['never left this browser', { state: 'unsent', frames: 0 }, 'frames'],
])('the inspector of a run that %s opens the right tab', (_, part, tab) => {
  expect(getDefaultInspectorTab(sampleTurn(part))).toBe(tab)
})

test('a URL chooses a tab only of those that the inspector has', () => {
  expect(['usage', 'variables', undefined].map((tab) => parseInspectorTab(tab))).toEqual(['usage', null, null])
  expect(parseInspectorTab('variables', CHAT_INSPECTOR_TABS)).toBe('variables')
})
