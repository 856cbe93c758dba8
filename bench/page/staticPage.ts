import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'

/**
 * Serves a page with one text field that loads the same JavaScript as another page, in as many files, and runs none of it:
 * what loading and parsing alone take on this machine. `scripts` are the built modules of that page.
 */
export async function serveStaticPage(scripts: readonly string[]): Promise<{ url: string; close: () => void }> {
  const files = new Map(scripts.map((code, index) => [`/${index}.js`, toUncalledFunction(code)]))
  const names = [...files.keys()]
  const page = `<!doctype html><title>Static page</title><main></main>
${names.map((name) => `<link rel="modulepreload" href="${name}">`).join('\n')}
<script type="module">
${names.map((name) => `import '${name}'`).join('\n')}
document.querySelector('main').append(document.createElement('textarea'))
</script>`
  const bodies = new Map([...files].map(([name, code]) => [name, gzipSync(code, { level: 9 })]))
  const server = createServer((request, response) => {
    const body = bodies.get(request.url ?? '/')
    const headers = { 'content-type': body ? 'text/javascript' : 'text/html', 'content-encoding': 'gzip' }
    response.writeHead(200, headers).end(body ?? gzipSync(page))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}

/** The module as the body of a function, without the imports and the exports that the bundler puts around it. */
const toUncalledFunction = (code: string): string =>
  `export async function uncalled() {\n${code
    .replaceAll(/(?<=^|[;\n])import(?:[\w$*{][^'"`;()]*from)?["'][^"']*["'];?/g, '')
    .replace(/export\{[^}]*\};?\s*$/, '')}\n}`
