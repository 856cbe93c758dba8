import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { create } from 'tar'

const BIN = 'bin/loupe.mjs'

/**
 * Packs the bundled command as npm takes it: `npm exec --package=URL/cli.tgz -- loupe`. It has the version of the server that
 * serves it, and needs nothing else.
 * @param folder with the bundle
 */
export async function packCli(projectFolder: string, folder: string, file: string): Promise<void> {
  const { version } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')) as { version: string }
  const manifest = {
    name: 'loupe',
    version,
    description: 'Runs suites of a Loupe server from CI',
    type: 'module',
    bin: { loupe: BIN },
    engines: { node: '>=20' },
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  chmodSync(join(folder, BIN), 0o755)
  await create({ gzip: true, portable: true, prefix: 'package', cwd: folder, file }, ['package.json', BIN])
}
