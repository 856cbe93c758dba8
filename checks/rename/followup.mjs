// node followup.mjs ROOT : what a rename by the language service cannot reach (run after apply.mjs; reads state.json of mkserver.mjs)
import fs from 'node:fs'
import path from 'node:path'
const ROOT = process.argv[2]
const { renames, moves } = JSON.parse(fs.readFileSync(new URL('./state.json', import.meta.url), 'utf8'))
const types = {},
  ambig = new Set()
for (const f in renames)
  for (const n in renames[f]) {
    const m = /^(\w+)\.(#?\w+)$/.exec(n)
    if (!m || m[2].startsWith('#')) continue
    const T = renames[f][m[1]] ?? m[1]
    ;(types[T] ??= {})[m[2]] = renames[f][n]
  }
const walk = (d) =>
  fs
    .readdirSync(path.join(ROOT, d), { withFileTypes: true })
    .flatMap((e) => (e.name === 'node_modules' ? [] : e.isDirectory() ? walk(d + '/' + e.name) : [d + '/' + e.name]))
let n = 0
for (const f of ['server', 'checks', 'bench', 'e2e'].flatMap(walk)) {
  if (!/\.tsx?$/.test(f)) continue
  const p = path.join(ROOT, f)
  const s = fs.readFileSync(p, 'utf8')
  let t = s.replace(/\b(Pick|Omit)<(\w+)(<\w+>)?,\s*((?:\|?\s*'[^']+'\s*)+),?\s*>/g, (all, k, T, g, lit) =>
    types[T]
      ? all.replace(
          lit,
          lit.replace(/'([^']+)'/g, (x, a) => `'${types[T][a] ?? a}'`),
        )
      : all,
  )
  t = t.replace(/spyOn\((\w+)\.prototype, '(\w+)'\)/g, (all, T, a) =>
    types[T]?.[a] ? all.replace(`'${a}'`, `'${types[T][a]}'`) : all,
  )
  if (t !== s) {
    fs.writeFileSync(p, t)
    n++
  }
}
console.log('generic', n)
const E = JSON.parse(fs.readFileSync(new URL('./followup.json', import.meta.url), 'utf8'))
for (const { file, from, to, re } of E) {
  const p = path.join(ROOT, file)
  if (!fs.existsSync(p)) {
    console.log('NO FILE', file)
    continue
  }
  const s = fs.readFileSync(p, 'utf8')
  const t = re ? s.replace(new RegExp(re, 'g'), to) : s.split(from).join(to)
  if (t === s) console.log('NOT FOUND', file, from ?? re)
  else fs.writeFileSync(p, t)
}
