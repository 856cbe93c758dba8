import { expect, test } from 'vitest'
import { KEY_KINDS } from '#contract/endpoint.ts'
import { listKeyOperations } from './OperationList.tsx'
import { operationMessages } from './operationMessages.ts'

test('a chat key lists runs and logs, which a chatflow has, and a workflow key the annotations', () => {
  const names = (kind: 'chat' | 'workflow') => listKeyOperations({ kind, capabilities: {} }).map(({ name }) => name)
  expect(names('chat')).toEqual(expect.arrayContaining(['chat.send', 'workflows.readRun', 'workflowLogs']))
  expect(names('workflow')).toEqual(expect.arrayContaining(['workflows.run', 'annotations.create', 'listAnnotations']))
  expect(names('workflow')).not.toContain('chat.send')
})

test('every operation has a name for people', () => {
  const names = KEY_KINDS.flatMap((kind) => listKeyOperations({ kind, capabilities: {} }).map(({ name }) => name))
  expect([...new Set(names)].filter((name) => !operationMessages[name])).toEqual([])
})
