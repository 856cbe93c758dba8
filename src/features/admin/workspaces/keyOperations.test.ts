import { expect, test } from 'vitest'
import type { Capability } from '#contract/console/workspaces.ts'
import { KEY_KINDS } from '#contract/endpoint.ts'
import { countStates, listKeyOperations } from './keyOperations.ts'
import { operationMessages } from './operationMessages.ts'

const capability = (state: Capability['state']): Capability => ({
  state,
  message: null,
  status: null,
  assumed_from: null,
  version: null,
})

test('a chat key lists runs and logs, which a chatflow has, and a workflow key the annotations', () => {
  const names = (kind: 'chat' | 'workflow') => listKeyOperations({ kind, capabilities: {} }).map(({ name }) => name)
  expect(names('chat')).toEqual(expect.arrayContaining(['chat.send', 'workflows.readRun', 'workflowLogs']))
  expect(names('workflow')).toEqual(expect.arrayContaining(['workflows.run', 'annotations.create', 'listAnnotations']))
  expect(names('workflow')).not.toContain('chat.send')
})

test('what was never answered is unknown, and every state is counted', () => {
  const capabilities = {
    listConversations: capability('offered'),
    workflowLogs: capability('refused'),
    listAnnotations: capability('broken'),
    info: capability('missing'),
  }
  const operations = listKeyOperations({ kind: 'chat', capabilities })
  expect(countStates(operations)).toEqual({
    offered: 1,
    refused: 1,
    broken: 1,
    missing: 1,
    unknown: operations.length - 4,
  })
})

test('every operation has a name for people', () => {
  const names = KEY_KINDS.flatMap((kind) => listKeyOperations({ kind, capabilities: {} }).map(({ name }) => name))
  expect([...new Set(names)].filter((name) => !operationMessages[name])).toEqual([])
})
