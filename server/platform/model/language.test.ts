import { expect, it } from 'vitest'
import { detectLanguage, isStopWord } from './language.ts'

it.each([
  ['en', 'The relay keeps what it has seen, and a run is never lost.'],
  ['de', 'Der Server behält, was er gesehen hat, und ein Lauf geht nie verloren.'],
  ['fr', 'Le serveur garde ce qu’il a vu, et une exécution n’est jamais perdue.'],
  ['es', 'El servidor guarda lo que ha visto y una ejecución nunca se pierde.'],
  ['ru', 'Сервер хранит то, что он видел, и запуск никогда не теряется.'],
  ['ar', 'يحتفظ الخادم بما رآه من الردود ولا يضيع أي تشغيل على الإطلاق.'],
  ['zh', '服务器保存它所看到的一切，运行永远不会丢失。'],
  ['ja', 'サーバーは見たものを保存し、実行が失われることはない。'],
  ['ko', '서버는 본 것을 저장하며 실행은 절대 사라지지 않는다.'],
  ['th', 'เซิร์ฟเวอร์เก็บสิ่งที่เห็นไว้ และการทำงานจะไม่สูญหาย'],
] as const)('recognizes %s', (language, text) => {
  expect(detectLanguage(text)).toBe(language)
})

it('leaves a text without common words open', () => {
  expect(detectLanguage('x184 relay 4711 Loupe')).toBe('other')
  expect(detectLanguage('')).toBe('other')
})

it('has common words for each language on its own', () => {
  expect(isStopWord('der', 'de')).toBe(true)
  expect(isStopWord('der', 'en')).toBe(false)
  expect(isStopWord('der', 'other')).toBe(false)
})
