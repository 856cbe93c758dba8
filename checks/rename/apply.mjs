// node apply.mjs FOLDER map.jsonl [--declarations]: renames symbols, then moves files and rewrites paths. README.md beside this file says more.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync, renameSync, readdirSync } from 'node:fs'
import { dirname, join, posix, relative, resolve } from 'node:path'
const ROOT = resolve(process.argv[2])
const ts = (await import('typescript')).default
const isDeclarationsOnly = process.argv.includes('--declarations')
const entries = process.argv
  .slice(3)
  .filter((arg) => !arg.startsWith('--'))
  .flatMap((f) =>
    readFileSync(f, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((l, i) => {
        try {
          return JSON.parse(l)
        } catch (e) {
          console.log('BAD JSON', f, i + 1)
          return {}
        }
      }),
  )
const git = (...a) => execFileSync('git', a, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 28 })
const tracked = git('ls-files').split('\n').filter(Boolean)
const files = tracked
  .filter((f) => /\.(ts|tsx|mts|mjs|js|cjs)$/.test(f) && /^(src|server|e2e|checks|bench|vite\.config)/.test(f))
  .map((f) => join(ROOT, f))
const cfg = ts.parseJsonConfigFileContent(
  ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile).config,
  ts.sys,
  ROOT,
)
const texts = new Map(),
  snaps = new Map()
const read = (f) => {
  if (!texts.has(f)) texts.set(f, readFileSync(f, 'utf8'))
  return texts.get(f)
}
const host = {
  getScriptFileNames: () => cfg.fileNames,
  getScriptVersion: () => '1',
  getScriptSnapshot: (f) => {
    if (!snaps.has(f)) snaps.set(f, ts.sys.fileExists(f) ? ts.ScriptSnapshot.fromString(ts.sys.readFile(f)) : undefined)
    return snaps.get(f)
  },
  getCurrentDirectory: () => ROOT,
  getCompilationSettings: () => cfg.options,
  getDefaultLibFileName: (o) => ts.getDefaultLibFilePath(o),
  fileExists: ts.sys.fileExists,
  readFile: ts.sys.readFile,
  readDirectory: ts.sys.readDirectory,
  directoryExists: ts.sys.directoryExists,
  getDirectories: ts.sys.getDirectories,
  realpath: ts.sys.realpath,
}
const ls = ts.createLanguageService(host)
const program = ls.getProgram()
console.log('program', program.getSourceFiles().length)

const nameOf = (n) =>
  n?.name && (ts.isIdentifier(n.name) || ts.isPrivateIdentifier(n.name) || ts.isStringLiteral(n.name))
    ? n.name.text
    : undefined
function bindings(name, out = []) {
  if (ts.isIdentifier(name)) out.push(name)
  else for (const e of name.elements) if (e.name) bindings(e.name, out)
  return out
}
function topLevel(sf, name) {
  const found = []
  for (const s of sf.statements) {
    if (ts.isVariableStatement(s))
      for (const d of s.declarationList.declarations)
        for (const b of bindings(d.name)) if (b.text === name) found.push([b, d])
    if (
      (ts.isFunctionDeclaration(s) ||
        ts.isClassDeclaration(s) ||
        ts.isInterfaceDeclaration(s) ||
        ts.isTypeAliasDeclaration(s) ||
        ts.isEnumDeclaration(s)) &&
      s.name?.text === name
    )
      found.push([s.name, s])
  }
  return found
}
function members(node, name) {
  if (name === 'constructor') {
    const out = []
    ts.forEachChild(node, (c) => {
      if (ts.isConstructorDeclaration(c)) out.push([c, c])
    })
    return out
  }
  // breadth-first over members named so, not into function bodies first
  let level = [node]
  while (level.length) {
    const hits = [],
      next = []
    for (const n of level)
      ts.forEachChild(n, (c) => {
        if (
          (ts.isPropertySignature(c) ||
            ts.isMethodSignature(c) ||
            ts.isPropertyDeclaration(c) ||
            ts.isMethodDeclaration(c) ||
            ts.isPropertyAssignment(c) ||
            ts.isShorthandPropertyAssignment(c) ||
            ts.isGetAccessor(c) ||
            ts.isSetAccessor(c) ||
            ts.isEnumMember(c) ||
            (ts.isParameter(c) && ts.isConstructorDeclaration(c.parent) && c.modifiers?.length)) &&
          (nameOf(c) === name || nameOf(c) === '#' + name)
        )
          hits.push([c.name, c])
        next.push(c)
      })
    if (hits.length) return hits
    level = next
  }
  return []
}
function locals(node, name) {
  const out = []
  const visit = (n) => {
    if (
      (ts.isVariableDeclaration(n) || ts.isParameter(n) || ts.isBindingElement(n)) &&
      ts.isIdentifier(n.name) &&
      n.name.text === name
    )
      out.push([n.name, n])
    if (
      (ts.isFunctionDeclaration(n) ||
        ts.isFunctionExpression(n) ||
        ts.isClassDeclaration(n) ||
        ts.isTypeAliasDeclaration(n) ||
        ts.isInterfaceDeclaration(n)) &&
      n.name?.text === name &&
      n !== node
    )
      out.push([n.name, n])
    ts.forEachChild(n, visit)
  }
  visit(node)
  return out
}
function find(sf, path) {
  const [head, local] = path.split('>')
  const parts = head.split(/\.(?!test|testing)/)
  let here = topLevel(sf, parts[0])
  for (const p of parts.slice(1)) {
    let next = here.flatMap(([, d]) => members(d, p))
    if (!next.length) next = here.flatMap(([, d]) => locals(d, p))
    here = next
  }
  if (local) {
    let scope = here.map(([, d]) => d)
    return scope.flatMap((d) => locals(d, local))
  }
  return here
}
const edits = new Map() // file -> Map(start -> {length, name?, prefix, suffix})
const sym = new Set()
let ok = 0
const failed = []
function addEdit(file, span, to, prefixText, suffixText) {
  if (!edits.has(file)) edits.set(file, new Map())
  const m = edits.get(file)
  const e = m.get(span.start) ?? { length: span.length, parts: [] }
  e.parts.push({ to, prefixText, suffixText })
  m.set(span.start, e)
}
const names = entries.filter(
  (e) => e.name && e.file && e.to && !(isDeclarationsOnly && !e.name.includes('>') && e.name.includes('.')),
)
const done = new Set(),
  declared = new Map()
for (const { file, name, to } of names) {
  const abs = join(ROOT, file),
    sf = program.getSourceFile(abs)
  if (!sf) {
    failed.push(`${file}: no such file (${name})`)
    continue
  }
  const hits = find(sf, name)
  const short = name.split(/[.>]/).at(-1)
  if (!hits.length) {
    failed.push(`${file}: ${name} not found`)
    continue
  }
  const toName = to.split(/[.>]/).at(-1)
  if (!/^#?[A-Za-z_$][\w$]*$/.test(toName)) {
    failed.push(`${file}: ${name} -> bad ${to}`)
    continue
  }
  for (const [id] of hits) {
    const key = abs + ':' + id.getStart(sf)
    if (done.has(key)) continue
    const locs = ls.findRenameLocations(abs, id.getStart(sf), false, false, {
      providePrefixAndSuffixTextForRename: true,
    })
    if (!locs) {
      failed.push(`${file}: ${name} cannot be renamed`)
      continue
    }
    const priv = ts.isPrivateIdentifier(id)
    for (const l of locs) {
      if (!l.fileName.startsWith(ROOT) || l.fileName.includes('node_modules')) continue
      const k = l.fileName + ':' + l.textSpan.start
      const old = read(l.fileName).slice(l.textSpan.start, l.textSpan.start + l.textSpan.length)
      let t = toName
      if (old.startsWith('#') && !t.startsWith('#')) t = '#' + t
      if (old !== id.text && old !== id.getText(sf) && old.replace(/^#/, '') !== short) continue
      const dk = k + '>' + t + (l.prefixText ?? '') + (l.suffixText ?? '')
      if (sym.has(dk)) continue
      sym.add(dk)
      addEdit(l.fileName, l.textSpan, t, l.prefixText, l.suffixText)
      // a destructured property: its local takes the new name too, where that is free
      if (l.prefixText || l.suffixText) {
        const lsf = program.getSourceFile(l.fileName)
        let n = lsf && ts.getTokenAtPosition ? ts.getTokenAtPosition(lsf, l.textSpan.start) : null
        const be = n?.parent
        if (be && ts.isBindingElement(be) && !be.propertyName && be.name === n) {
          let fn = be
          while (fn && !ts.isFunctionLike(fn) && !ts.isSourceFile(fn)) fn = fn.parent
          if (fn && ts.isFunctionLike(fn) && ts.isParameter(be.parent.parent)) {
            /* parameter: scope is fn */
          }
          const body = (fn ?? lsf).getText(lsf)
          if (!new RegExp(`(?<![\\w$.])${t.replace('$', '\\$')}(?![\\w$])`).test(body)) {
            const ll =
              ls.findRenameLocations(l.fileName, l.textSpan.start, false, false, {
                providePrefixAndSuffixTextForRename: true,
              }) ?? []
            // from a binding element TS renames the local
            for (const x of ll) {
              if (x.fileName !== l.fileName) continue
              const xk = x.fileName + ':' + x.textSpan.start + '>local>' + t
              if (sym.has(xk)) continue
              sym.add(xk)
              addEdit(x.fileName, x.textSpan, t, x.prefixText, x.suffixText)
            }
          }
        }
      }
    }
    done.add(key)
    declared.set(key, toName)
    ok++
  }
  if (ok % 200 === 0) console.log(ok, new Date().toISOString().slice(11, 19))
}
// names of properties in types and in spies
const checker = program.getTypeChecker()
const keyOf = (d) => (d?.name ? d.getSourceFile().fileName + ':' + d.name.getStart() : '')
const newNameIn = (type, text) => {
  const found = (type.isUnion?.() ? type.types : [type]).flatMap((t) => t.getProperty(text)?.declarations ?? [])
  for (const d of found) {
    const n = declared.get(keyOf(d))
    if (n) return n
  }
}
let inTypes = 0
const editLiteral = (sf, node, type) => {
  const n = newNameIn(type, node.text)
  if (n) {
    addEdit(sf.fileName, { start: node.getStart(sf) + 1, length: node.text.length }, n.replace(/^#/, ''))
    inTypes++
  }
}
for (const sf of program.getSourceFiles()) {
  if (!sf.fileName.startsWith(ROOT) || sf.fileName.includes('node_modules')) continue
  const visit = (n) => {
    if (
      ts.isTypeReferenceNode(n) &&
      ['Pick', 'Omit'].includes(n.typeName.getText(sf)) &&
      n.typeArguments?.length === 2
    ) {
      const type = checker.getTypeFromTypeNode(n.typeArguments[0])
      const lit = (x) => {
        if (ts.isLiteralTypeNode(x) && ts.isStringLiteral(x.literal)) editLiteral(sf, x.literal, type)
        else ts.forEachChild(x, lit)
      }
      lit(n.typeArguments[1])
    }
    if (ts.isIndexedAccessTypeNode(n) && ts.isLiteralTypeNode(n.indexType) && ts.isStringLiteral(n.indexType.literal))
      editLiteral(sf, n.indexType.literal, checker.getTypeFromTypeNode(n.objectType))
    if (
      ts.isCallExpression(n) &&
      /spyOn$/.test(n.expression.getText(sf)) &&
      n.arguments[1] &&
      ts.isStringLiteral(n.arguments[1])
    )
      editLiteral(sf, n.arguments[1], checker.getTypeAtLocation(n.arguments[0]))
    ts.forEachChild(n, visit)
  }
  visit(sf)
}
console.log({ inTypes })
let conflicts = 0
for (const [file, m] of edits) {
  let text = read(file)
  for (const [start, { length, parts }] of [...m].sort((a, b) => b[0] - a[0])) {
    const old = text.slice(start, start + length)
    const pre = parts.find((p) => p.prefixText) // 'old: ' -> the value (local) was renamed: old: NEW
    const suf = parts.find((p) => p.suffixText) // ': old' -> the property was renamed: NEW: old
    const plain = [...new Set(parts.filter((p) => !p.prefixText && !p.suffixText).map((p) => p.to))]
    let out
    if (pre && suf) out = suf.to === pre.to ? pre.to : `${suf.to}: ${pre.to}`
    else if (pre) out = pre.prefixText + pre.to
    else if (suf) out = suf.to + suf.suffixText
    else {
      if (plain.length > 1) {
        conflicts++
        console.log('CONFLICT', relative(ROOT, file), old, plain.join(' | '))
      }
      out = plain[0]
    }
    text = text.slice(0, start) + out + text.slice(start + length)
  }
  texts.set(file, text)
  writeFileSync(file, text)
}
console.log({ entries: names.length, ok, failed: failed.length, files: edits.size, conflicts })
console.log(failed.join('\n'))

// ---- moves
const moves = new Map(entries.filter((e) => e.move && e.to && e.move !== e.to).map((e) => [e.move, e.to]))
for (const f of [...moves.keys()])
  if (!existsSync(join(ROOT, f))) {
    console.log('NO FILE', f)
    moves.delete(f)
  }
const targets = new Map()
for (const [a, b] of moves) {
  if (targets.has(b)) console.log('SAME TARGET', a, targets.get(b), b)
  targets.set(b, a)
}
for (const b of targets.keys())
  if (existsSync(join(ROOT, b)) && !moves.has(b)) {
    console.log('TARGET EXISTS', b)
    moves.delete(targets.get(b))
  }
const dirMoves = new Map()
for (const f of tracked) {
  const d = posix.dirname(f),
    nd = posix.dirname(moves.get(f) ?? f)
  if (!dirMoves.has(d)) dirMoves.set(d, nd)
  else if (dirMoves.get(d) !== nd) dirMoves.set(d, null)
}
const aliases = [
  ['#contract/', 'src/contract/'],
  ['#domain/', 'src/domain/'],
  ['#support/', 'e2e/support/'],
]
const exists = new Set(tracked)
const toAlias = (target, from) => {
  for (const [alias, dir] of aliases)
    if (target.startsWith(dir) && !from.startsWith(dir)) return alias + target.slice(dir.length)
  let r = posix.relative(posix.dirname(from), target)
  return r.startsWith('.') ? r : './' + r
}
const textFiles = tracked.filter(
  (f) =>
    /\.(ts|tsx|mjs|cjs|js|css|json|html|md|mts)$/.test(f) && !/package-lock|migrations\/meta|docs\/|README/.test(f),
)
let rewritten = 0
const lost = []
for (const f of textFiles) {
  const abs = join(ROOT, f)
  let text = readFileSync(abs, 'utf8')
  const to = moves.get(f) ?? f
  let out = text.replace(/(['"`(])((?:\.{1,2}\/|#contract\/)[^'"`()\n]*?)(?=['"`)?#])/g, (all, q, spec) => {
    if (spec.includes('${')) return all
    let target
    if (spec.startsWith('#'))
      target = aliases.map(([a, d]) => (spec.startsWith(a) ? d + spec.slice(a.length) : null)).find(Boolean)
    else target = posix.join(posix.dirname(f), spec)
    if (!target) return all
    if (exists.has(target)) {
      const nt = moves.get(target) ?? target
      if (nt === target && to === f) return all
      const isModule = /\.(ts|tsx|mts)$/.test(target)
      let r
      if (isModule) r = toAlias(nt, to)
      else {
        r = posix.relative(posix.dirname(to), nt)
        if (!r.startsWith('.')) r = './' + r
      }
      return q + r
    }
    const bare = target.replace(/\/$/, '')
    if (dirMoves.has(bare) && existsSync(join(ROOT, bare)) && statSync(join(ROOT, bare)).isDirectory()) {
      const nd = dirMoves.get(bare)
      if (nd === null) {
        lost.push(`${f}: ${spec} (folder is split)`)
      }
      const t2 = nd ?? bare
      if (t2 === bare && to === f) return all
      let r = posix.relative(posix.dirname(to), t2)
      if (!r.startsWith('.')) r = './' + (r || '')
      return q + r + (spec.endsWith('/') && !r.endsWith('/') ? '/' : '')
    }
    if (to !== f && !spec.startsWith('#')) lost.push(`${f}: ${spec}`)
    return all
  })
  // paths from the root of the project
  if (/^(checks|bench|e2e|vite|package\.json|tsconfig|index\.html|\.|server|src)/.test(f))
    out = out.replace(
      /(?<![\w./#-])((?:src|server|e2e|checks|bench)\/[\w./-]+\.(?:tsx?|mjs|cjs|css|json|js|sql))/g,
      (all, p) => moves.get(p) ?? all,
    )
  if (out !== text) {
    writeFileSync(abs, out)
    rewritten++
  }
}
for (const [a, b] of moves) {
  mkdirSync(join(ROOT, dirname(b)), { recursive: true })
  renameSync(join(ROOT, a), join(ROOT, b))
}
console.log({ moves: moves.size, rewritten, lost: lost.length })
console.log(lost.join('\n'))
