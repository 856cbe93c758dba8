import { join } from 'node:path'
import { buildBrowserApp, PROJECT_FOLDER, readBuildState } from './browserBuild.ts'
import { compressAssets } from './compressAssets.ts'

/** `npm run build`: the same build as that of `npm start`, which is skipped where nothing has changed since the last one. */
if (!readBuildState().isBuilt) await buildBrowserApp()
await compressAssets(join(PROJECT_FOLDER, 'dist'))
