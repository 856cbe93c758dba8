import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Fragment, jsx, jsxs } from './jsxRuntime.ts'

const BREAK = '<span style="display:inline-block"></span>'
const word = 'a'.repeat(1_200)
const broken = [500, 500, 200].map((length) => 'a'.repeat(length) + BREAK).join('')

const draw = (children: ReactNode, type: 'p' | typeof Fragment = 'p') =>
  renderToStaticMarkup(jsx(type, { children })).replace(/^<p>|<\/p>$/g, '')

test('a run without a space gets line breaks every 500 characters, wherever a component puts it', () => {
  expect(draw(word)).toBe(`<span>${broken}</span>`)
  expect(draw(`so ${word} it is`, Fragment)).toBe(`<span>so ${broken} it is</span>`)
  const nested = jsxs('p', { children: ['so', [word]] })
  expect(renderToStaticMarkup(nested)).toBe(`<p>so<span>${broken}</span></p>`)
})

test('no character is added, lost or split, and marks of one letter are separated', () => {
  for (const text of ['\u{1F468}'.repeat(900), `a${'\u0301'.repeat(900)}`, `${word} ${word}\n${word}`]) {
    const drawn = draw(text)
    expect(drawn.replaceAll(/<[^>]*>/g, '')).toBe(text)
    for (const piece of drawn.split(/<[^>]*>|\s/)) expect([...piece].length).toBeLessThanOrEqual(500)
    expect(drawn.split(BREAK).every((piece) => piece.isWellFormed())).toBe(true)
  }
})

test('other text, other values and elements that hold text alone stay as they are', () => {
  const children = ['word '.repeat(1_000), 'a'.repeat(500), 7, null, jsx('i', {})]
  expect(jsxs('p', { children }).props).toEqual({ children })
  expect(jsx('option', { children: word }).props).toEqual({ children: word })
})

test('a field with a long run does not wrap it', () => {
  expect(jsx('textarea', { value: word, style: { color: 'red' } }).props).toMatchObject({
    wrap: 'off',
    style: { color: 'red', fontFeatureSettings: '"mark" 0, "mkmk" 0' },
  })
  expect(jsx('textarea', { defaultValue: 'short' }).props).toEqual({ defaultValue: 'short' })
})
