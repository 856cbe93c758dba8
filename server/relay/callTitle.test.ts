import { expect, test } from 'vitest'
import { getRequestTitle } from './relayRoutes.ts'

test.each([
  [{ name: 'Manual', text: 'A lamp glows.' }, 'Manual'],
  [{ query: 'What glows?', retrieval_model: {} }, 'What glows?'],
  [{ question: 'Why?', content: 'Because.' }, 'Why?'],
  [{ content: 'A lamp.' }, 'A lamp.'],
  [{ segment: { content: 'A lamp glows.', keywords: ['lamp'] } }, 'A lamp glows.'],
  [{ segments: [{ content: 'First.' }, { content: 'Second.' }] }, 'First.'],
  [{ segments: [] }, undefined],
  [{ segment: { enabled: false }, name: '' }, undefined],
  [undefined, undefined],
])('the request %j is called %j', (body, title) => {
  expect(getRequestTitle(body)).toBe(title)
})
