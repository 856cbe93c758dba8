import type { UserConfig } from 'vite'

/** The command `loupe` as one file without dependencies, for use without a checkout. */
const config: UserConfig = {
  publicDir: false,
  ssr: { noExternal: true, target: 'node' },
  build: {
    ssr: 'cli/main.ts',
    target: 'node20',
    minify: true,
    rolldownOptions: {
      output: {
        entryFileNames: 'bin/loupe.mjs',
        banner: '#!/usr/bin/env node',
        codeSplitting: false,
      },
    },
  },
}
export default config
