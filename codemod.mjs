import { readFileSync, writeFileSync, readdirSync, existsSync } from 'node:fs'
const s_renames=[]
import { join } from 'node:path'
const root = process.cwd()
// groups: file -> group name -> ops
const opOf = {} // noun -> op -> {module, group}
const nounOf = { datasetEndpoints:'datasets', documentEndpoints:'documents', segmentEndpoints:'segments', workflowEndpoints:'workflows', chatEndpoints:'chat', completionEndpoints:'completion', annotationEndpoints:'annotations' }
for (const dir of ['platform','console']) for (const f of readdirSync(join(root,'src/contract',dir))) {
  if (f.includes('.test')||!f.endsWith('.ts')) continue
  if (f==='consoleEndpoints.ts'||f==='optionalEndpoints.ts') continue
  const s = readFileSync(join(root,'src/contract',dir,f),'utf8')
  for (const m of s.matchAll(/export const (\w+Endpoints) = \{\n([\s\S]*?)\n\}\n/g)) {
    const [,group,body]=m
    const noun = dir==='console' ? 'console' : nounOf[group] ?? 'adjacent'
    for (const o of body.matchAll(/^  (\w+):/gm)) (opOf[noun]??={})[o[1]]={module:`#contract/${dir}/${f}`,group}
  }
}
const renamed = { KeyFound:'DetectedKey', KeyWrite:'KeyInput', WorkspaceWrite:'WorkspaceInput' }
const files=[]
const walk=d=>{ for (const e of readdirSync(d,{withFileTypes:true})) { const p=join(d,e.name); if(e.isDirectory()){ if(p!==join(root,'src/contract')) walk(p)} else if(/\.tsx?$/.test(e.name)) files.push(p)} }
for (const d of ['src','server','e2e','checks','bench']) walk(join(root,d))
const changed=[], leftovers=[]
for (const p of files) {
  let s=readFileSync(p,'utf8'); const before=s
  const need={} // module -> Set of import specs
  const add=(m,spec)=>(need[m]??=new Set()).add(spec)
  const isTypeOnly=/import type \{ contract \} from '#contract\/index.ts'/.test(s)
  if (p.startsWith(join(root,'src')) && /import (type )?\{ contract \} from '#contract\/index.ts'\n/.test(s)) {
    s=s.replace(/import (type )?\{ contract \} from '#contract\/index.ts'\n/,'')
    // destructuring
    s=s.replace(/^( *)const \{ ([^}]+) \} = contract\.(\w+)$/gm,(all,ind,names,noun)=>{
      const by={}
      for (const n of names.split(',').map(x=>x.trim()).filter(Boolean)) { const key=n.split(':')[0].trim(); const e=opOf[noun]?.[key]; if(!e){leftovers.push(`${p}: ${all}`);return all} ;(by[e.group]??=[]).push(n); add(e.module,(isTypeOnly?'type ':'')+e.group) }
      return Object.entries(by).map(([g,ns])=>`${ind}const { ${ns.join(', ')} } = ${g}`).join('\n')
    })
    s=s.replace(/\bcontract\.(\w+)\.(\w+)/g,(all,noun,op)=>{ const e=opOf[noun]?.[op]; if(!e){ leftovers.push(`${p}: ${all}`); return all } add(e.module,(isTypeOnly?'type ':'')+e.group); return `${e.group}.${op}` })
    if (/\bcontract(\.|\[|\b(?=[,)}]))/.test(s.replace(/^\s*(\/\/|\*|\/\*).*$/gm,'').replace(/'[^']*'/g,''))) leftovers.push(`${p}: still contract`)
  }
  s=s.replace(/import (type )?\{([^}]+)\} from '#contract\/console\/consoleEndpoints.ts'\n/g,(all,t,names)=>{
    for (const raw of names.split(',').map(x=>x.trim()).filter(Boolean)) {
      const isT=!!t||raw.startsWith('type '); const n=raw.replace(/^type /,'')
      const [orig,alias]=n.split(' as ')
      if (orig==='Resource') add('#contract/console/resources.ts',(isT?'type ':'')+n)
      else { const now=renamed[orig]??orig; add('#contract/console/workspaces.ts',(isT?'type ':'')+(alias?`${now} as ${alias}`:now)); if(now!==orig&&!alias) s_renames.push([orig,now]) }
    }
    return ''
  })
  for (const [a,b] of s_renames.splice(0)) s=s.replace(new RegExp(`\\b${a}\\b`,'g'),b)
  for (const [m,specs] of Object.entries(need)) {
    const re=new RegExp(`import (type )?\\{([^}]*)\\} from '${m.replace(/[.#/]/g,'\\$&')}'\\n`)
    const ex=s.match(re); let all=[...specs]
    if (ex) { const isT=!!ex[1]; all=[...new Set([...ex[2].split(',').map(x=>x.trim()).filter(Boolean).map(x=>isT&&!x.startsWith('type ')?`type ${x}`:x),...all])]; s=s.replace(re,'') }
    const valueNames=new Set(all.filter(x=>!x.startsWith('type '))); all=all.filter(x=>!(x.startsWith('type ')&&valueNames.has(x.slice(5))))
    const onlyTypes=all.every(x=>x.startsWith('type '))
    const line= onlyTypes? `import type { ${all.map(x=>x.slice(5)).join(', ')} } from '${m}'\n` : `import { ${all.join(', ')} } from '${m}'\n`
    // place: after the last #contract import, else after the first block of package imports
    const cs=[...s.matchAll(/^(?:import|\}) .*from '#contract\/[^']*'\n/gm)]
    if (cs.length) { const last=cs.at(-1); const i=last.index+last[0].length; s=s.slice(0,i)+line+s.slice(i) }
    else { const ps=[...s.matchAll(/^(?:import|\}) .*from '(?![.#])[^']*'\n/gm)]; const i=ps.length? ps.at(-1).index+ps.at(-1)[0].length:0; s=s.slice(0,i)+line+s.slice(i) }
  }
  if (s!==before) { writeFileSync(p,s); changed.push(p) }
}

console.log(changed.length,'changed'); console.log(leftovers.join('\n')); writeFileSync('/tmp/w/codemod.files',changed.join('\n'))
