import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseDifferenceTable, toDifferenceLine } from './differenceTable.testing.ts'
import { compareHeaders, compareReplies, type ComparedReply } from './replyDifferences.testing.ts'

const json = (body: unknown, status = 200): ComparedReply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})
const stream = (...events: object[]): ComparedReply => ({
  status: 200,
  headers: { 'content-type': 'text/event-stream; charset=utf-8' },
  body: `event: ping\n\n${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}`,
})
const ID = '11111111-1111-4111-8111-111111111111'

describe('two replies', () => {
  it('differ in the fields that one of them lacks, in types, and in words of the interface', () => {
    const recorded = json({ data: [{ id: ID, status: 'waiting', tokens: null, name: 'a', gone: {} }], limit: 5 })
    const ours = json({ data: [{ id: 'no id', status: 'queued', tokens: 0, name: 'b', more: 1 }], limit: 5 })
    expect(compareReplies(recorded, ours)).toEqual([
      { field: 'data[].id', recorded: 'uuid', ours: 'string' },
      { field: 'data[].status', recorded: '"waiting"', ours: '"queued"' },
      { field: 'data[].tokens', recorded: 'null', ours: 'number' },
      { field: 'data[].gone', recorded: 'present', ours: 'absent' },
      { field: 'data[].more', recorded: 'absent', ours: 'present' },
    ])
    expect(compareReplies(recorded, recorded)).toEqual([])
  })

  it('differ in their status alone where one of them is a refusal, and in the type where that is another', () => {
    expect(compareReplies(json({ id: ID }), json({ code: 'not_found' }, 404))).toEqual([
      { field: '(status)', recorded: '200', ours: '404' },
    ])
    const html = { status: 404, headers: { 'content-type': 'text/html; charset=utf-8' }, body: '<p>' }
    expect(compareReplies(html, json({ code: 'not_found' }, 404))).toEqual([
      { field: '(type)', recorded: 'text/html', ours: 'application/json' },
    ])
  })

  it('differ in the order of their events and in the fields of each', () => {
    const message = { event: 'message', answer: 'a', id: ID }
    expect(
      compareReplies(
        stream(message, message, { event: 'message_end', files: [] }),
        stream(message, { event: 'message_end', files: null }, { event: 'error' }),
      ),
    ).toEqual([
      { field: '(events)', recorded: 'ping message message_end', ours: 'ping message message_end error' },
      { field: 'message_end.files', recorded: 'array', ours: 'null' },
    ])
  })

  it('differ in the headers that only one of them has', () => {
    const headers = { 'content-type': 'application/json', 'x-env': 'PRODUCTION', date: 'now' }
    expect(compareHeaders({ ...json({}), headers }, json({}))).toEqual([
      { field: '(header x-env)', recorded: 'present', ours: 'absent' },
    ])
  })
})

describe('the table of differences', () => {
  const row = '| `GET /a`<br>`GET /b` | `x`<br>`y` | null | `"z"` | A reason. |'

  it('refuses a row without a reason', () => {
    expect(() => parseDifferenceTable(row.replace('A reason.', ''))).toThrow('needs five cells and a reason')
  })

  it('lists no difference twice', () => {
    const page = readFileSync(new URL('../../../docs/platform-differences.md', import.meta.url), 'utf8')
    const lines = parseDifferenceTable(page).map(toDifferenceLine)
    expect(lines.filter((line, index) => lines.indexOf(line) !== index)).toEqual([])
    expect(lines.length).toBeGreaterThan(50)
  })
})
